import { type Stats, statfsSync, statSync } from "node:fs";

/**
 * The one rule by which something on disk counts as unchanged: its change time, which nobody can set, is what it was when
 * it was read, and was well past then, so that no later change can have left the same time. On file systems known to keep
 * times, and there on the device of the root only.
 */
export function isSettled(
  { ctimeMs, mtimeMs }: Pick<Stats, "ctimeMs" | "mtimeMs">,
  rule: SettledRule,
): boolean {
  return rule.now - Math.max(ctimeMs, mtimeMs) > rule.settledMs;
}

export interface SettledRule {
  /** When reading began. */
  readonly now: number;
  readonly settledMs: number;
}

/** A change this short after another may leave the same time on a folder. Some file systems count in two seconds. */
export const FOLDER_SETTLED_MS = 2500;

/**
 * For the contents of a file. Who writes through a mapping moves its time only with the first write to a page since
 * the page went to disk, which it does within 35 s: by then a time this old will move with the next write.
 */
export const FILE_SETTLED_MS = 60_000;

const TMPFS = 0x01021994;

// ext2 to ext4, xfs, btrfs, overlayfs, zfs, f2fs, tmpfs: local, and a folder's times change with its entries.
const TRUSTED_TYPES: ReadonlySet<number> = new Set([
  0xef53,
  0x58465342,
  0x9123683e,
  0x794c7630,
  0x2fc12fc1,
  0xf2f52010,
  TMPFS,
]);

/** The device whose folders keep their times. */
export function deviceOfFolders(root: string): number | undefined {
  return trustedDevice(root, (type) => TRUSTED_TYPES.has(type));
}

/** The device whose files do: what tmpfs holds never goes to disk, so that a mapping may write without a trace. */
export function deviceOfFiles(root: string): number | undefined {
  return trustedDevice(root, (type) => TRUSTED_TYPES.has(type) && type !== TMPFS);
}

function trustedDevice(root: string, isTrusted: (type: number) => boolean): number | undefined {
  try {
    return isTrusted(statfsSync(root).type) ? statSync(root).dev : undefined;
  } catch {
    // What cannot be asked is not trusted.
    return undefined;
  }
}
