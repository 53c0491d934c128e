import { type Parsed, s } from "@haft/core";
import {
  dryRun,
  editedPath,
  fileEncoding,
  MAX_CONTENT_CHARS,
  resultDiff,
  resultPath,
} from "../parameters.js";

const oldString = s.string("The exact text to find, with enough context to be unique", {
  maxLength: 1_000_000,
});
const newString = s.string("The text to put in its place", { maxLength: MAX_CONTENT_CHARS });
const replaceAll = s.boolean("Replace every occurrence instead of exactly one", { default: false });

export const editInput = s.object({
  path: editedPath,
  old_string: s.optional(oldString),
  new_string: s.optional(newString),
  replace_all: replaceAll,
  edits: s.optional(
    s.array(
      "Several replacements in one step instead of old_string and new_string: all or nothing, each found in the original text",
      s.object({ old_string: oldString, new_string: newString, replace_all: replaceAll }),
      { minItems: 1, maxItems: 200 },
    ),
  ),
  encoding: fileEncoding,
  dry_run: dryRun,
});

export const editOutput = s.object({
  path: resultPath,
  replacements: s.integer("How many places were changed"),
  startLine: s.integer("First changed line, in the new text"),
  endLine: s.integer("Last changed line, in the new text"),
  diff: resultDiff,
  hash: s.string("Hash of the new content"),
});

export type EditArgs = Parsed<typeof editInput>;

export interface Replacement {
  readonly old_string: string;
  readonly new_string: string;
  readonly replace_all: boolean;
}
