import { invalidPatch } from "./invalid-patch.js";
import { parseMarkedPatch } from "./parse-marked-patch.js";
import { parseUnifiedDiff } from "./parse-unified-diff.js";
import type { PatchOperation } from "./patch.js";

/** Reads a patch in the `*** Begin Patch` grammar or as a unified diff. */
export function parsePatch(text: string): readonly PatchOperation[] {
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  const isMarked = lines.some((line) =>
    /^\*\*\* (?:Begin Patch|Add File|Update File|Delete File)/.test(line),
  );
  const operations = isMarked ? parseMarkedPatch(lines) : parseUnifiedDiff(lines);
  if (operations.length > 0) return operations;
  throw invalidPatch("it changes no file");
}
