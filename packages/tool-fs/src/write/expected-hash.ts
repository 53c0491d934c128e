import { ToolError } from "@haft/core";
import type { Existing } from "./existing-file.js";

/** Throws STALE_FILE unless the file matches the hash the caller knows. */
export function assertExpectedHash(path: string, existing: Existing, expected: string | undefined): void {
  if (expected === undefined || existing === "unknown") return;
  if (existing === "nothing") {
    throw new ToolError("STALE_FILE", `${path} no longer exists, so it does not match expected_hash`, {
      hint: "Omit expected_hash to create it.",
      details: { path, expectedHash: expected },
    });
  }
  // A caller may pass the full digest, of which results show the first digits.
  if (expected.toLowerCase().startsWith(existing.hash)) return;
  throw new ToolError("STALE_FILE", `${path} has changed: its hash is now ${existing.hash}`, {
    hint: "Read it again, then repeat the change on its current content.",
    details: { path, expectedHash: expected, currentHash: existing.hash },
    next: { tool: "read_file", args: { path } },
  });
}
