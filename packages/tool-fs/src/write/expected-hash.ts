import { ToolError } from "@haft/core";
import type { Standing } from "./standing-file.js";

/** Throws STALE_FILE unless the file still is what the caller knows. */
export function assertExpectedHash(path: string, standing: Standing, expected: string | undefined): void {
  if (expected === undefined || standing === "unknown") return;
  if (standing === "nothing") {
    throw new ToolError("STALE_FILE", `${path} does not exist any more, so it is not what you expect`, {
      hint: "Leave expected_hash out to create it.",
      details: { path, expectedHash: expected },
    });
  }
  // A caller may know the whole digest of which results carry the first digits.
  if (expected.toLowerCase().startsWith(standing.hash)) return;
  throw new ToolError("STALE_FILE", `${path} has changed: it has the hash ${standing.hash} now`, {
    hint: "Read it again, then repeat the change on what it holds now.",
    details: { path, expectedHash: expected, currentHash: standing.hash },
    next: { tool: "read_file", args: { path } },
  });
}
