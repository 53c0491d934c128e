import { type Parsed, s } from "@haft/core";

export const listDirectoryInput = s.object({
  path: s.path("Directory to list, relative to the workspace", { default: "." }),
  recursive: s.boolean("List subdirectories too", { default: false }),
  include_hidden: s.boolean("Show names that start with a dot; on by itself inside such a directory", {
    default: false,
  }),
  include_ignored: s.boolean("Show what ignore files exclude", { default: false }),
  max_depth: s.integer("How many levels to go down when recursive", { default: 2, minimum: 1, maximum: 20 }),
  max_results: s.integer("Return at most this many entries, up to 2000", { default: 500, minimum: 1 }),
  sort: s.enum("Order within a directory, directories first", ["name", "size", "modified"], {
    default: "name",
  }),
});

const entry = s.object({
  name: s.string("Name"),
  path: s.string("Workspace-relative path"),
  type: s.enum("Type of the entry; links are not followed", ["file", "directory", "symlink", "other"]),
  size: s.integer("Size in bytes"),
  modified: s.string("Time of the last change, ISO 8601"),
  target: s.optional(s.string("Where a link points")),
  outside: s.optional(s.boolean("True for a link that leads out of the workspace")),
  unnamed: s.optional(
    s.boolean("True if the name is not plain text: it is shown escaped and cannot be opened"),
  ),
  ignored: s.optional(s.boolean("True for a directory that was not entered because it is ignored")),
  entriesBelow: s.optional(
    s.integer("How many entries an ignored directory holds, as far as they were counted"),
  ),
});

export const listDirectoryOutput = s.object({
  path: s.string("Workspace-relative path of the directory"),
  absolutePath: s.string("Absolute path of the directory"),
  entries: s.array("Its entries, level by level", entry),
  total: s.integer("Number of entries, shown or not"),
  totalExact: s.boolean("False when there are more than were counted"),
  truncated: s.boolean("Whether entries were left out because there are too many"),
  omitted: s.array(
    "Directories with omitted entries",
    s.object({ path: s.string("Workspace-relative path"), count: s.integer("Entries left out") }),
  ),
  hidden: s.integer("Entries not shown because their names start with a dot"),
  ignored: s.integer("Files not shown because ignore files exclude them"),
  ignoreRules: s.integer("Lines of ignore files that are too long or too many to obey"),
});

export type ListDirectoryArgs = Parsed<typeof listDirectoryInput>;
export type ListDirectoryResult = Parsed<typeof listDirectoryOutput>;
export type ListedEntry = ListDirectoryResult["entries"][number];
