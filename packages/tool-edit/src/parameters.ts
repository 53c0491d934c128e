import { s } from "@haft/core";

/** Parameters and fields that every editing tool has, described once. */
export const editedPath = s.path("File to change, relative to the workspace");

export const fileEncoding = s.optional(
  s.string("Encoding, if detected wrongly", {
    minLength: 1,
    maxLength: 40,
  }),
);

export const dryRun = s.boolean("Only show the diff; change nothing", { default: false });

/** Names that models use instead of `path`, shared by all packs. Camel case needs no entry. */
export const pathAliases = {
  path: ["file_path", "filepath", "file", "filename", "file_name", "target_file"],
} as const;

export const resultPath = s.string("The file that was changed");

export const resultDiff = s.string("Unified diff of the change, empty when there is none");

export const MAX_CONTENT_CHARS = 10_000_000;
