import { ToolError } from "@haft/core";

export function invalidPatch(problem: string, line?: number): ToolError {
  const place = line === undefined ? "" : ` (line ${line} of the patch)`;
  return new ToolError("INVALID_PATCH", `The patch cannot be read: ${problem}${place}; nothing was changed`, {
    hint: "Send either a unified diff (--- a/f, +++ b/f, @@ -1,3 +1,4 @@) or *** Begin Patch / *** Update File: f / @@ / lines with ' ', '-' or '+' / *** End Patch.",
  });
}
