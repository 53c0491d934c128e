import { syncBuiltinESMExports } from "node:module";
import { pathToFileURL } from "node:url";
import { type BlockLimits, isInTimer, UNWATCHED, watchBlockedThread } from "./watch-blocked-thread.js";

/**
 * Imports the entry of a pack. Rejects if the import takes longer than `importMs`, blocks the thread that long, can
 * never finish, or tries to end the process.
 */
export async function importPack(
  entry: string,
  { importMs = DEFAULT_IMPORT_MS, isOwn = false }: ImportOptions = {},
): Promise<object> {
  const watch = isOwn ? UNWATCHED : await watchBlockedThread(watchOf(importMs));
  const giveUp = new AbortController();
  const late = setTimeout(() => giveUp.abort(new Error(tooSlow(importMs))), importMs);
  // Unreferenced, so that the event loop can drain: then nothing is left that could finish the import.
  late.unref();
  const drained = () => giveUp.abort(new Error("its import never finishes"));
  process.once("beforeExit", drained);
  const allowExit = forbidExit();
  const blocked = new Error(`its import blocked the process for ${importMs / 1000} s`);
  void watch.stopped.then(() => giveUp.abort(blocked));
  try {
    const exported = await Promise.race([
      import(/* @vite-ignore */ pathToFileURL(entry).href),
      rejected(giveUp.signal),
    ]);
    if (watch.hasStopped) throw blocked;
    return exported;
  } catch (error) {
    // A stopped import rejects with nothing, or leaves nothing to wait for.
    throw watch.hasStopped ? blocked : error;
  } finally {
    watch.end();
    allowExit();
    process.off("beforeExit", drained);
    clearTimeout(late);
  }
}

export interface ImportOptions {
  /** The time limit. Default: 10000. */
  readonly importMs?: number | undefined;
  /** Whether the pack is ours, and does not block. */
  readonly isOwn?: boolean;
}

/** A timer may belong to any pack. */
function watchOf(importMs: number): BlockLimits {
  return { limitMs: importMs, mayStop: (stack) => !isInTimer(stack) };
}

function rejected(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

function tooSlow(importMs: number): string {
  return `its import took longer than ${importMs / 1000} s`;
}

/** Makes `process.exit` and `process.abort` throw. Returns a function that restores them. */
function forbidExit(): () => void {
  let isImporting = true;
  const { exit, abort } = process;
  const guarded = <A extends unknown[]>(end: (...args: A) => never) => {
    return (...args: A): never => {
      if (isImporting) throw new Error("it tried to end the process");
      return end.apply(process, args);
    };
  };
  const mine = { exit: guarded(exit), abort: guarded(abort) };
  Object.assign(process, mine);
  // For packs that import them by name.
  syncBuiltinESMExports();
  return () => {
    isImporting = false;
    // Two imports at once may end in any order. Whichever is still installed then passes calls on.
    if (process.exit === mine.exit) Object.assign(process, { exit, abort });
    syncBuiltinESMExports();
  };
}

const DEFAULT_IMPORT_MS = 10_000;
