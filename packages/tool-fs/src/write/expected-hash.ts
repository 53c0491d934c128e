import { ToolError } from "@haft/core";
import type { Standing } from "./standing-file.js";

/** Throws STALE_FILE unless the file matches the hash the caller knows. */
export function assertExpectedHash(path: string, standing: Standing, expected: string | undefined): void {
  if (expected === undefined || standing === "unknown") return;
  if (standing === "nothing") {
    throw new ToolError("STALE_FILE", `${path} no longer exists, so it does not match expected_hash`, {
      hint: "Omit expected_hash to create it.",
      details: { path, expectedHash: expected },
    });
  }
  // A caller may pass the full digest, of which results show the first digits.
  if (expected.toLowerCase().startsWith(standing.hash)) return;
  throw new ToolError("STALE_FILE", `${path} has changed: its hash is now ${standing.hash}`, {
    hint: "Read it again, then repeat the change on its current content.",
    details: { path, expectedHash: expected, currentHash: standing.hash },
    next: { tool: "read_file", args: { path } },
  });
}
