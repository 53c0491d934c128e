import { s } from "@haft/core";

/** The `path` parameter, described once. An absolute path inside the workspace works too; that needs no words in every prompt. */
export function pathParameter(what: string) {
  return s.path(`${what}, relative to the workspace`);
}

/** What models write instead of `path`; the same for every tool of every pack. Camel case needs no entry. */
export const PATH_ALIASES = [
  "file_path",
  "filepath",
  "file",
  "filename",
  "file_name",
  "target_file",
] as const;
