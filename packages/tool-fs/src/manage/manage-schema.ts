import { type Parsed, s } from "@haft/core";
import { pathParameter } from "../path-parameter.js";

const dryRun = s.boolean("Only show what would happen", { default: false });

export const deleteFileInput = s.object({
  path: pathParameter("File, link or directory to delete"),
  recursive: s.boolean("Delete a directory with everything below it", { default: false }),
  dry_run: dryRun,
});

export const deleteFileOutput = s.object({
  deleted: s.array("Workspace-relative paths that were removed, the given one first", s.string("Path")),
});

export const moveFileInput = s.object({
  from: pathParameter("File, link or directory to move"),
  to: pathParameter("Its new path, name included"),
  overwrite: s.boolean("Replace an existing file at the new path", { default: false }),
  create_dirs: s.boolean("Create missing parent directories", { default: true }),
  dry_run: dryRun,
});

export const moveFileOutput = s.object({
  from: s.string("Workspace-relative path before"),
  to: s.string("Workspace-relative path now"),
  absolutePath: s.string("Absolute path now"),
  overwritten: s.boolean("Whether a file was replaced"),
});

export type DeleteFileArgs = Parsed<typeof deleteFileInput>;
export type DeleteFileResult = Parsed<typeof deleteFileOutput>;
export type MoveFileArgs = Parsed<typeof moveFileInput>;
export type MoveFileResult = Parsed<typeof moveFileOutput>;
