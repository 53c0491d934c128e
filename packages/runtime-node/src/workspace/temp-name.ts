import { randomBytes } from "node:crypto";

/**
 * Returns the name of a file that is being written. It contains the owner's pid, so that files of dead owners can be
 * removed.
 */
export function tempName(name: string, pid: number): string {
  const mark = `.haft-${pid}-${randomBytes(6).toString("hex")}.tmp`;
  // The result must be a legal name, even if the name already has the maximum length.
  const kept = Buffer.from(name).subarray(0, MAX_NAME_BYTES - mark.length - 1);
  return `.${kept.toString().replaceAll("\ufffd", "")}${mark}`;
}

/** Returns the process that a temporary name belongs to, or undefined for any other name. */
export function tempOwner(name: string): number | undefined {
  const match = name.endsWith(".tmp") ? TEMP_NAME.exec(name) : null;
  return match === null ? undefined : Number(match[1]);
}

const TEMP_NAME = /^\..*\.haft-(\d+)-[0-9a-f]{12}\.tmp$/;
const MAX_NAME_BYTES = 255;
