import type { EventEmitter } from "node:events";
import { createInterface } from "node:readline/promises";
import type { CliIo } from "../cli-io.js";

export interface LineQuestion {
  readonly question: string;
  /** Text already on the line, for the user to edit. */
  readonly prefill?: string;
  /** Aborts when the answer is no longer needed. */
  readonly signal: AbortSignal;
  /** Called on Ctrl-C during the question. Without it, Ctrl-C ends the question. */
  readonly onInterrupt?: (() => void) | undefined;
  /** Called on Esc during the question. Without it, Esc leaves the line without an answer. */
  readonly onEscape?: (() => void) | undefined;
}

/** Reads one line from the user. Returns undefined if there is none. Never rejects. */
export async function askLine(
  { stdin: input, stderr: output }: CliIo,
  { question, prefill, signal, onInterrupt, onEscape }: LineQuestion,
): Promise<string | undefined> {
  if (signal.aborted) return undefined;
  const lines = createInterface({ input, output, terminal: output.isTTY === true });
  // A terminal that was closed fails when its modes are restored; then the question closes without an answer.
  // Node emits this event, although its types do not list it.
  (lines as EventEmitter).on("error", () => {});
  // Node pauses the input when the shell resumes the process, and leaves resuming it to the program.
  lines.on("SIGCONT", () => lines.resume());
  if (onInterrupt !== undefined) lines.on("SIGINT", onInterrupt);
  const onKey = (_typed: unknown, key?: { readonly name?: string }) => {
    if (key?.name !== "escape") return;
    if (onEscape !== undefined) return onEscape();
    output.write("\n");
    lines.close();
  };
  input.on("keypress", onKey);
  const gone = new Promise<undefined>((resolve) => lines.once("close", () => resolve(undefined)));
  const answer = lines.question(question, { signal });
  if (prefill !== undefined) lines.write(prefill);
  try {
    // Aborting rejects the question; the caller aborted it and knows why.
    return await Promise.race([answer.catch(() => undefined), gone]);
  } finally {
    input.off("keypress", onKey);
    lines.close();
  }
}
