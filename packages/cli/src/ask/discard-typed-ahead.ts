import type { CliIo } from "../cli-io.js";

interface Discarding {
  /** Aborts when the answer is no longer needed. */
  readonly signal: AbortSignal;
}

/**
 * Discards input typed before the question was shown, because it cannot be an answer to it. Resolves after a short
 * pause in typing and reports whether Ctrl-C was pressed. Does nothing for pipes, whose lines are written on purpose.
 */
export async function discardTypedAhead(
  { stdin }: CliIo,
  { signal }: Discarding,
): Promise<{ readonly isInterrupted: boolean }> {
  if (stdin.isTTY !== true || signal.aborted) return { isInterrupted: false };
  const terminal: Partial<Pick<NodeJS.ReadStream, "setRawMode">> & CliIo["stdin"] = stdin;
  // Only raw mode delivers a line that has not been ended with Enter.
  terminal.setRawMode?.(true);
  try {
    return { isInterrupted: await readUntilQuiet(stdin, signal) };
  } finally {
    terminal.setRawMode?.(false);
  }
}

function readUntilQuiet(stdin: CliIo["stdin"], signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    let isInterrupted = false;
    const finish = () => {
      clearTimeout(timer);
      stdin.off("data", discard).off("end", finish).off("error", finish);
      signal.removeEventListener("abort", finish);
      stdin.pause();
      resolve(isInterrupted);
    };
    const discard = (typed: Buffer | string) => {
      isInterrupted ||= typed.includes(CTRL_C);
      timer.refresh();
    };
    const timer = setTimeout(finish, QUIET_MS);
    stdin.on("data", discard).once("end", finish).once("error", finish);
    signal.addEventListener("abort", finish, { once: true });
    stdin.resume();
  });
}

const CTRL_C = "\u0003";

// Longer than the repeat interval of a held key, shorter than anyone needs to read a question.
const QUIET_MS = 60;
