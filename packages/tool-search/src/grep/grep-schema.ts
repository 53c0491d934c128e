import { type Parsed, s } from "@haft/core";
import { otherEncodingsSchema } from "../other-encodings.js";
import { skippedSchema } from "../skipped.js";
import { stringOrList } from "../string-list.js";

export const grepInput = s.object({
  pattern: s.string("Regular expression (RE2 syntax), or plain text with literal", {
    minLength: 1,
    maxLength: 8192,
  }),
  path: s.path("Folder or file to search, relative to the workspace", { default: "." }),
  case_sensitive: s.boolean("Tell upper and lower case apart", { default: false }),
  ignore_case: s.optional(s.boolean("The opposite of case_sensitive, for those who are used to it")),
  literal: s.boolean("Take the pattern as plain text", { default: false }),
  multiline: s.boolean("Let a match span lines", { default: false }),
  glob: s.optional(stringOrList('Only files that match, such as "*.ts" or "src/**/*.{js,ts}"; "!" excludes')),
  exclude: s.array("Folders or globs to leave out", s.string("A name or glob"), {
    default: [],
    maxItems: 100,
  }),
  file_type: s.optional(stringOrList('Only files with these extensions, exactly: "ts" is not tsx')),
  type: s.optional(s.string("Only files of a language, such as ts (with tsx), py or rust")),
  output_mode: s.enum(
    "content: the lines; files_with_matches: paths only; count: matching lines per file",
    ["content", "files_with_matches", "count"],
    { default: "content" },
  ),
  before: s.optional(s.integer("Lines of context before each match", { minimum: 0, maximum: 200 })),
  after: s.optional(s.integer("Lines of context after each match", { minimum: 0, maximum: 200 })),
  context: s.optional(
    s.integer("Lines of context around each match; left out, more the fewer matches there are", {
      minimum: 0,
      maximum: 200,
    }),
  ),
  line_numbers: s.boolean("Put the line number before each line of the text", { default: true }),
  max_results: s.integer("Return at most this many matches (or files), up to 500", {
    default: 50,
    minimum: 1,
  }),
  offset: s.integer("Matches (or files) to pass over, to continue a search", { default: 0, minimum: 0 }),
  include_hidden: s.boolean("Search names that start with a dot", { default: false }),
  include_ignored: s.boolean("Search what ignore files exclude", { default: false }),
  max_depth: s.optional(s.integer("How many levels of folders to go down", { minimum: 1, maximum: 100 })),
});

const match = s.object({
  path: s.string("Workspace-relative path"),
  absolutePath: s.string("Absolute path"),
  line: s.integer("Line number, from 1"),
  endLine: s.optional(s.integer("The last line of a match across lines")),
  column: s.integer("Where in the line the first match begins, from 1"),
  text: s.string(
    "The line without its end, or all lines of a match across lines; over 20,000 characters, the part around the match",
  ),
  cut: s.optional(
    s.object(
      { before: s.integer("Left out at its start"), after: s.integer("Left out at its end") },
      "Characters of the line that text leaves out",
    ),
  ),
  before: s.array("The lines before it, as far as no earlier match shows them", s.string("A line")),
  after: s.array("The lines after it, up to the next match", s.string("A line")),
});

const file = s.object({
  path: s.string("Workspace-relative path"),
  absolutePath: s.string("Absolute path"),
  count: s.integer("Matches in it: matching lines, or with multiline each match"),
});

export const grepOutput = s.object({
  matches: s.optional(s.array("The matches, in output_mode content", match)),
  files: s.optional(s.array("The files with matches, in the other modes", file)),
  totalMatches: s.integer("Matching lines, or with multiline matches, shown or not"),
  totalFiles: s.integer("Files with matches that there are"),
  shown: s.integer("Matches, or files, in this result"),
  truncated: s.boolean("Whether there are more after these"),
  nextOffset: s.optional(s.integer("The offset that continues")),
  incomplete: s.boolean("True when time ran out: the totals are then lower bounds"),
  searched: s.integer("Files that were searched"),
  skipped: skippedSchema,
  otherEncodings: otherEncodingsSchema,
  maxFileBytes: s.integer("The size above which files were skipped"),
  hints: s.array("What would find more", s.string("One line")),
});

export type GrepArgs = Parsed<typeof grepInput>;
export type GrepResult = Parsed<typeof grepOutput>;
export type GrepMatch = NonNullable<GrepResult["matches"]>[number];

/** Reads whichever of the two opposite parameters the call uses. */
export function isCaseSensitive({
  case_sensitive: caseSensitive,
  ignore_case: ignoreCase,
}: GrepArgs): boolean {
  return ignoreCase === undefined ? caseSensitive : !ignoreCase;
}
