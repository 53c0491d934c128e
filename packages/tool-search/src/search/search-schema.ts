import { type Parsed, s } from "@haft/core";
import { otherEncodingsSchema } from "../other-encodings.js";
import { skippedSchema } from "../skipped.js";
import { stringOrList } from "../string-list.js";

export const searchInput = s.object({
  query: s.string("Words, or part of a file name", { minLength: 1, maxLength: 500 }),
  path: s.path("Folder to look in, relative to the workspace", { default: "." }),
  file_type: s.optional(stringOrList('Only files with these extensions, such as "ts"')),
  exclude_dirs: s.array("Folders to leave out", s.string("A name or glob"), { default: [], maxItems: 100 }),
  max_results: s.integer("Return at most this many results, up to 500", { default: 20, minimum: 1 }),
  in: s.enum("Where to look", ["names", "content", "both"], { default: "both" }),
});

const result = s.object({
  path: s.string("Workspace-relative path"),
  absolutePath: s.string("Absolute path"),
  line: s.optional(s.integer("The line that fits best; left out when only the name fits")),
  snippet: s.string("That line, cut to the part near its words if it is long, or the path"),
  score: s.number("How well it fits; higher is better"),
});

export const searchOutput = s.object({
  results: s.array("Files, best first", result),
  total: s.integer("Files that fit, shown or not"),
  truncated: s.boolean("Whether there are more"),
  incomplete: s.boolean("True when not all could be looked at: the total is then a lower bound"),
  topFolders: s.array(
    "Where most of the results are",
    s.object({ folder: s.string("Workspace-relative path"), count: s.integer("Results in it") }),
  ),
  searched: s.integer("Files that were looked at"),
  skipped: skippedSchema,
  otherEncodings: otherEncodingsSchema,
});

export type SearchArgs = Parsed<typeof searchInput>;
export type SearchResult = Parsed<typeof searchOutput>;
