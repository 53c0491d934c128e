/** The limit for recorded bytes of one run; equals the kernel's own limit. */
export const MAX_RECORDED_BYTES = 20 * 1024 * 1024;

/** Each change is stored, journalled and synced individually. */
export const MAX_RECORDED_CHANGES = 2_000;

/** Ends a comparison: a part of very many changes is useless, and comparing the rest takes time. */
export class TooMuch extends Error {
  constructor(why: string) {
    super(`none of its changes were applied: ${why}`);
  }
}

export function tooManyChanges(): never {
  throw new TooMuch(`there were more than ${MAX_RECORDED_CHANGES} changes`);
}
