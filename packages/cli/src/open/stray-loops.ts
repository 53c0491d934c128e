import { renderInline } from "@haft/text";
import { EXIT } from "../exit-code.js";
import { closeStderr } from "../output/end-with-terminal.js";
import { restoreTerminal } from "../output/restore-terminal.js";
import { packOnStack } from "./stray-errors.js";

/** Raises the time that code may block this process. */
export type RaiseLimit = (limitMs: number) => void;

/**
 * Ends the command when a third-party pack blocks this process longer than any of its calls may take, such as by a loop
 * in a timer that it set on import. It could not continue: the code cannot be stopped in a timer.
 */
export async function endOnStrayLoops(packs: readonly string[], limitMs: number): Promise<RaiseLimit> {
  const isFirst = WATCHED.size === 0;
  for (const name of packs) WATCHED.add(name);
  LIMITS.add(limitMs);
  if (isFirst && WATCHED.size > 0) await watch();
  return (ms) => void LIMITS.add(ms);
}

/** The names of the packs in this process, which runs one command. */
const WATCHED = new Set<string>();

/** The time limits of their calls. The longest applies to all code. */
const LIMITS = new Set<number>();
const longestMs = () => Math.max(...LIMITS);

async function watch(): Promise<void> {
  const { watchBlockedThread } = await import("@haft/runtime-node/host");
  await watchBlockedThread({
    limitMs: longestMs,
    mayStop: (stack) => {
      process.stderr.write(`haft: ${renderInline(blockedText(stack), { maxChars: 600 })}\n`);
      restoreTerminal();
      closeStderr();
      process.exit(EXIT.failed);
    },
  });
}

function blockedText(stack: string): string {
  const [only, ...others] = WATCHED;
  const what =
    packOnStack(stack) ?? (others.length === 0 ? only : `one of the packs ${[...WATCHED].join(", ")}`);
  return `BLOCKED: ${what} blocked the process for ${longestMs() / 1000} s, so the command was ended. Remove it from the list of packs, or set containPacks to true.`;
}
