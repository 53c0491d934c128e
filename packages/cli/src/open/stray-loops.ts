import type { BlockWatch } from "@haft/runtime-node/host";
import { renderInline } from "@haft/text";
import { EXIT } from "../exit-code.js";
import { closeStderr } from "../output/end-with-terminal.js";
import { restoreTerminal } from "../output/restore-terminal.js";
import { packOnStack } from "./stray-errors.js";

/** Sets how long code of these packs may block this process. */
export type SetLimit = (limitMs: number) => void;

/**
 * Ends the command when a third-party pack blocks this process longer than any of its calls may take, such as by a loop
 * in a timer that it set on import. It could not continue: the code cannot be stopped in a timer.
 */
export async function endOnStrayLoops(packs: readonly string[], limitMs: number): Promise<SetLimit> {
  const isFirst = WATCHED.size === 0;
  for (const name of packs) WATCHED.add(name);
  const limit = { ms: limitMs };
  LIMITS.push(limit);
  if (isFirst && WATCHED.size > 0) await watch();
  return (ms) => {
    limit.ms = ms;
    for (const each of WATCHES) each.setLimit(longestMs());
  };
}

/** The names of the packs in this process, which runs one command. */
const WATCHED = new Set<string>();

/** The time limits of their calls. The longest applies to all code. */
const LIMITS: { ms: number }[] = [];
const longestMs = () => Math.max(...LIMITS.map(({ ms }) => ms));

/** The watch of this thread, once a pack needs one. */
const WATCHES: BlockWatch[] = [];

async function watch(): Promise<void> {
  const { watchBlockedThread } = await import("@haft/runtime-node/host");
  const started = await watchBlockedThread({
    limitMs: longestMs(),
    mayStop: (stack) => {
      process.stderr.write(`haft: ${renderInline(blockedText(stack), { maxChars: 600 })}\n`);
      restoreTerminal();
      closeStderr();
      process.exit(EXIT.failed);
    },
  });
  WATCHES.push(started);
}

function blockedText(stack: string): string {
  const [only, ...others] = WATCHED;
  const what =
    packOnStack(stack) ?? (others.length === 0 ? only : `one of the packs ${[...WATCHED].join(", ")}`);
  return `BLOCKED: ${what} blocked the process for ${longestMs() / 1000} s, so the command was ended. Remove it from the list of packs, or set containPacks to true.`;
}
