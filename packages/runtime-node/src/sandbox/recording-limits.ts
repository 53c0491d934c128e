import { showPath } from "@haft/core/workspace";

/** The limit for recorded bytes of one run; equals the kernel's own limit. */
export const MAX_RECORDED_BYTES = 20 * 1024 * 1024;

/** Each change is stored, journalled and synced individually. */
export const MAX_RECORDED_CHANGES = 2_000;

/** How many more entries are compared if as many are gone: they may have been moved, which is one change for a folder. */
export const MAX_MOVED_ENTRIES = 5_000;

/** How many of too many changes are named. */
export const MAX_NAMED = 100;

/** Ends a comparison: a part of very many changes is useless, and comparing the rest takes time. */
export class TooMuch extends Error {
  constructor(why: string) {
    super(`none of its file changes were applied: ${why}. ${REMEDY}`);
  }
}

const REMEDY =
  "Change less in one call, write to a folder that git ignores, or ask the user to run it outside the sandbox";

export function tooManyChanges(): never {
  throw new TooMuch(`there were more than ${MAX_RECORDED_CHANGES} changes`);
}

export function tooManyBytes(path: string): never {
  const most = `${MAX_RECORDED_BYTES / 1024 ** 2} MiB`;
  throw new TooMuch(`with ${showPath(path)} they exceed the limit of ${most} for one call`);
}
