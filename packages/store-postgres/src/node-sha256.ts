import { createHash } from "node:crypto";

/**
 * Computes SHA-256 with the system's library: the kernel's own runs in browsers too, and takes nearly 20 times as long.
 */
export function nodeSha256(bytes: string | Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
