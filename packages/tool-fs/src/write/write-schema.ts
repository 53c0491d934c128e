import { type Parsed, s } from "@haft/core";
import { PATH_ALIASES, pathParameter } from "../path-parameter.js";

const content = s.string("The whole content of the file");

const createDirs = s.boolean("Create missing parent directories", { default: true });

const dryRun = s.boolean("Only show what would change", { default: false });

const expectedHash = s.optional(
  s.string("Write only if the file still has this hash, as an earlier read or write returned it", {
    minLength: 8,
    maxLength: 128,
  }),
);

/** The name of an encoding. If omitted, the file, its declared charset or the project decides. */
const encoding = s.optional(
  s.string("Encoding, if detected wrongly", {
    minLength: 1,
    maxLength: 40,
  }),
);

export const writeFileInput = s.object({
  path: pathParameter("File to write"),
  content,
  encoding: s.string(
    '"utf-8" keeps an existing encoding, "base64" for bytes, or a name such as windows-1251',
    { default: "utf-8", minLength: 1, maxLength: 40 },
  ),
  create_dirs: createDirs,
  expected_hash: expectedHash,
  dry_run: dryRun,
});

export const createFileInput = s.object({
  path: pathParameter("File to create; it must not exist yet"),
  content,
  create_dirs: createDirs,
  dry_run: dryRun,
});

export const updateFileInput = s.object({
  path: pathParameter("File to replace; it must exist"),
  content,
  expected_hash: expectedHash,
  dry_run: dryRun,
});

export const appendFileInput = s.object({
  path: pathParameter("File to append to; created if missing"),
  content: s.string("Text to add at the end"),
  encoding,
  ensure_newline: s.boolean("Start on a new line when the file does not end with one", { default: true }),
  dry_run: dryRun,
});

/** Names that models use for the content of a whole file. */
export const WHOLE_FILE_ALIASES = {
  path: PATH_ALIASES,
  content: ["contents", "text", "file_text", "data"],
  dry_run: ["preview", "preview_only"],
} as const;

/** Includes the names for creating directories. */
export const NEW_FILE_ALIASES = {
  ...WHOLE_FILE_ALIASES,
  create_dirs: ["create_directories", "mkdirs", "make_dirs"],
} as const;

export const writeOutput = s.object({
  path: s.string("Workspace-relative path"),
  absolutePath: s.string("Absolute path"),
  size: s.integer("Size of the file in bytes, now"),
  bytesWritten: s.integer("Bytes that were written; for append_file, bytes that were added"),
  created: s.boolean("Whether the file is new"),
  changed: s.boolean("False when the file had this content already"),
  hash: s.optional(s.string("Hash of the file, now; left out when the role may not read files")),
});

export type WriteFileArgs = Parsed<typeof writeFileInput>;
export type UpdateFileArgs = Parsed<typeof updateFileInput>;
export type AppendFileArgs = Parsed<typeof appendFileInput>;
export type WriteResult = Parsed<typeof writeOutput>;
