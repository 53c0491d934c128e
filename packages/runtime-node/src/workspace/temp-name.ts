import { randomBytes } from "node:crypto";

/** Names of files that are being written: they say whose they are, so that a dead owner's can be swept. */
export function tempName(name: string, pid: number): string {
  const mark = `.haft-${pid}-${randomBytes(6).toString("hex")}.tmp`;
  // The whole must stay a legal name, also where the name itself is as long as names may be.
  const kept = Buffer.from(name).subarray(0, MAX_NAME_BYTES - mark.length - 1);
  return `.${kept.toString().replaceAll("\ufffd", "")}${mark}`;
}

/** The process a temporary name belongs to, or undefined for any other name. */
export function tempOwner(name: string): number | undefined {
  const match = name.endsWith(".tmp") ? TEMP_NAME.exec(name) : null;
  return match === null ? undefined : Number(match[1]);
}

const TEMP_NAME = /^\..*\.haft-(\d+)-[0-9a-f]{12}\.tmp$/;
const MAX_NAME_BYTES = 255;
