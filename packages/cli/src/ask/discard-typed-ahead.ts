import type { CliIo } from "../cli-io.js";

export interface Discarding {
  /** Aborts when nobody needs an answer any more. */
  readonly signal: AbortSignal;
}

/**
 * Throws away what was typed before a question was shown: it cannot have been meant as its answer. Resolves once no key
 * has come for a moment, with whether Ctrl-C was among them. Only for a terminal: lines on a pipe were put there on purpose.
 */
export async function discardTypedAhead(
  { stdin }: CliIo,
  { signal }: Discarding,
): Promise<{ readonly isInterrupted: boolean }> {
  if (stdin.isTTY !== true || signal.aborted) return { isInterrupted: false };
  const terminal: Partial<Pick<NodeJS.ReadStream, "setRawMode">> & CliIo["stdin"] = stdin;
  // A line that is not ended yet can be read in no other mode.
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

// Longer than a key that is held down takes to come again, shorter than anybody takes to read a question.
const QUIET_MS = 60;
