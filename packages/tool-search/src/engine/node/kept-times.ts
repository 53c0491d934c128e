import { type Stats, statfsSync, statSync } from "node:fs";

/**
 * The only rule for treating something on disk as unchanged. Its change time, which programs cannot set, must equal
 * the time seen when it was read. It must also have been old enough then that no later change can share it. Applies
 * on file systems known to maintain times, and only on the device of the root.
 */
export function isSettled(
  { ctimeMs, mtimeMs }: Pick<Stats, "ctimeMs" | "mtimeMs">,
  rule: SettledRule,
): boolean {
  return rule.now - Math.max(ctimeMs, mtimeMs) > rule.settledMs;
}

interface SettledRule {
  /** When reading began. */
  readonly now: number;
  readonly settledMs: number;
}

/**
 * A change this soon after another may leave the same time on a folder. Some file systems count in steps of two
 * seconds.
 */
export const FOLDER_SETTLED_MS = 2500;

/**
 * For file contents. Writing through a mapping changes the time only with the first write to a page since it was
 * flushed, which happens within 35 s: a time this old changes with the next write.
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

/** Returns the device whose folders maintain their times. */
export function deviceOfFolders(root: string): number | undefined {
  return trustedDevice(root, (type) => TRUSTED_TYPES.has(type));
}

/**
 * Returns the device whose files maintain their times. Not tmpfs: its pages are never flushed, so a mapping may write
 * unnoticed.
 */
export function deviceOfFiles(root: string): number | undefined {
  return trustedDevice(root, (type) => TRUSTED_TYPES.has(type) && type !== TMPFS);
}

function trustedDevice(root: string, isTrusted: (type: number) => boolean): number | undefined {
  try {
    return isTrusted(statfsSync(root).type) ? statSync(root).dev : undefined;
  } catch {
    // An unknown file system is not trusted.
    return undefined;
  }
}
