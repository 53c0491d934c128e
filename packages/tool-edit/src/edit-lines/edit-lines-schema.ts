import { type Parsed, s } from "@haft/core";
import {
  dryRun,
  editedPath,
  fileEncoding,
  MAX_CONTENT_CHARS,
  resultDiff,
  resultPath,
} from "../parameters.js";

const operation = s.enum(
  "insert adds after start_line; delete and replace take start_line to end_line, both included",
  ["insert", "delete", "replace"],
);
const startLine = s.integer("1-based line; for insert the line after which to add, 0 for the top", {
  minimum: 0,
});
const endLine = s.integer("Last line of a delete or replace, included; start_line when left out", {
  minimum: 1,
});
const content = s.string("The new lines, for insert and replace", { maxLength: MAX_CONTENT_CHARS });
const expected = s.string("The lines as you last saw them; refuse if they are different now", {
  maxLength: 1_000_000,
});

export const editLinesInput = s.object({
  path: editedPath,
  operation: s.optional(operation),
  start_line: s.optional(startLine),
  end_line: s.optional(endLine),
  content: s.optional(content),
  expected: s.optional(expected),
  edits: s.optional(
    s.array(
      "Several operations in one step instead of one above; line numbers are those before any of them",
      s.object({
        operation,
        start_line: startLine,
        end_line: s.optional(endLine),
        content: s.optional(content),
        expected: s.optional(expected),
      }),
      { minItems: 1, maxItems: 200 },
    ),
  ),
  encoding: fileEncoding,
  dry_run: dryRun,
});

export const editLinesOutput = s.object({
  path: resultPath,
  totalLines: s.integer("Lines of the file now"),
  delta: s.integer("How many lines it has more, or fewer"),
  startLine: s.integer("First changed line, in the new text"),
  endLine: s.integer("Last changed line, in the new text"),
  diff: resultDiff,
});

export type EditLinesArgs = Parsed<typeof editLinesInput>;
export type EditLinesResult = Parsed<typeof editLinesOutput>;
export type LineOperation = NonNullable<EditLinesArgs["edits"]>[number];
