import { type Parsed, s } from "@haft/core";
import { skippedSchema } from "../skipped.js";
import { stringOrList } from "../string-list.js";

export const globInput = s.object({
  pattern: stringOrList('Which files: "**/*.ts", "src/*.{js,ts}", or a list in which "!" excludes'),
  path: s.path("Folder to look in, relative to the workspace", { default: "." }),
  exclude: s.array("Folders or globs to leave out", s.string("A name or glob"), {
    default: [],
    maxItems: 100,
  }),
  sort: s.enum("path: by name; modified: newest first", ["path", "modified"], { default: "path" }),
  case_sensitive: s.boolean("Tell upper and lower case apart", { default: true }),
  include_hidden: s.boolean("Let wildcards match names that start with a dot", { default: false }),
  include_ignored: s.boolean(
    "Look into what ignore files exclude, and into node_modules, dist and the like",
    {
      default: false,
    },
  ),
  max_results: s.integer("Return at most this many files, up to 500", { default: 100, minimum: 1 }),
  offset: s.integer("Files to pass over, to continue a listing", { default: 0, minimum: 0 }),
  max_depth: s.optional(s.integer("How many levels of folders to go down", { minimum: 1, maximum: 100 })),
});

const file = s.object({
  path: s.string("Workspace-relative path"),
  absolutePath: s.string("Absolute path"),
  size: s.integer("Size in bytes"),
  modified: s.string("Time of the last change, ISO 8601"),
});

export const globOutput = s.object({
  files: s.array("The files, in the order asked for", file),
  total: s.integer("Files that match, shown or not"),
  shown: s.integer("Files in this result"),
  truncated: s.boolean("Whether there are more after these"),
  nextOffset: s.optional(s.integer("The offset that continues")),
  incomplete: s.boolean("True when time ran out: the total is then a lower bound"),
  skipped: skippedSchema,
  excluded: s.array(
    "Folders with further matches that were not looked into",
    s.object({
      folder: s.string("Folder, or ignored files for single files"),
      count: s.integer("Matches in it"),
    }),
  ),
  excludedIncomplete: s.optional(s.boolean("True when not all of them were looked through")),
});

export type GlobArgs = Parsed<typeof globInput>;
export type GlobResult = Parsed<typeof globOutput>;
