import { s } from "@haft/core";

/**
 * The `path` parameter, described once. Absolute paths inside the workspace also work, which the prompt need not
 * mention.
 */
export function pathParameter(what: string) {
  return s.path(`${what}, relative to the workspace`);
}

/** Names that models use instead of `path`, shared by all packs. Camel case needs no entry. */
export const PATH_ALIASES = [
  "file_path",
  "filepath",
  "file",
  "filename",
  "file_name",
  "target_file",
] as const;
