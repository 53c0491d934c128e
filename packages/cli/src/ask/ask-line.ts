import { createInterface } from "node:readline/promises";
import type { CliIo } from "../cli-io.js";

export interface LineQuestion {
  readonly question: string;
  /** Stands on the line already, to be changed. */
  readonly prefill?: string;
  /** Aborts when nobody needs the answer any more. */
  readonly signal: AbortSignal;
  /** Ctrl-C while the question stands; without it Ctrl-C ends the question. */
  readonly onInterrupt?: (() => void) | undefined;
}

/** One line from a person; undefined when there will be none. Never rejects. */
export async function askLine(
  { stdin: input, stderr: output }: CliIo,
  { question, prefill, signal, onInterrupt }: LineQuestion,
): Promise<string | undefined> {
  if (signal.aborted) return undefined;
  const lines = createInterface({ input, output, terminal: output.isTTY === true });
  if (onInterrupt !== undefined) lines.on("SIGINT", onInterrupt);
  const gone = new Promise<undefined>((resolve) => lines.once("close", () => resolve(undefined)));
  const answer = lines.question(question, { signal });
  if (prefill !== undefined) lines.write(prefill);
  try {
    // An aborted question rejects; whoever aborted it knows why.
    return await Promise.race([answer.catch(() => undefined), gone]);
  } finally {
    lines.close();
  }
}
