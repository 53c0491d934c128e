import { type Parsed, s } from "@haft/core";
import { pathParameter } from "../path-parameter.js";

export const readFileInput = s.object({
  path: pathParameter("File to read"),
  offset: s.integer("Line to start at, from 1. Negative counts from the end: -200 is the last 200 lines", {
    default: 1,
  }),
  limit: s.integer("Return at most this many lines", { default: 2000, minimum: 1, maximum: 10_000 }),
  encoding: s.string('"utf-8" detects the encoding, "base64" gives bytes, or a name such as windows-1251', {
    default: "utf-8",
    minLength: 1,
    maxLength: 40,
  }),
  line_numbers: s.boolean("Put the line number before each line of the text", { default: true }),
  pages: s.optional(s.string('Pages of a PDF, such as "3", "1-5" or "6-"', { minLength: 1, maxLength: 100 })),
  cells: s.optional(
    s.string('Cells of a Jupyter notebook, such as "3", "1-5" or "6-"', { minLength: 1, maxLength: 100 }),
  ),
  if_changed_since: s.optional(
    s.string("The hash of an earlier read; an unchanged file returns one line", { minLength: 1 }),
  ),
});

export const readFileOutput = s.object({
  path: s.string("Workspace-relative path"),
  absolutePath: s.string("Absolute path"),
  kind: s.enum("How the content was made", ["text", "base64", "image", "pdf", "notebook"]),
  content: s.string("The lines as they are in the file, without numbers; base64 when that was asked for"),
  size: s.integer("Size of the file in bytes"),
  modified: s.string("Time of the last change, ISO 8601"),
  encoding: s.string(
    "Encoding of the file, such as utf-8, utf-16le or shift_jis; binary when it is not text",
  ),
  encodingGuessed: s.optional(
    s.boolean("True when no byte order mark, declared charset or valid UTF-8 settles the encoding"),
  ),
  encodingDoubt: s.optional(s.string("Why the encoding is a guess")),
  bom: s.boolean("Whether the file starts with a byte order mark"),
  eol: s.enum("Line endings", ["lf", "crlf", "cr", "mixed", "none"]),
  hash: s.optional(
    s.string("Hash of the whole file; left out for files over 64 MiB unless if_changed_since is given"),
  ),
  totalLines: s.integer("Lines of the file"),
  totalLinesExact: s.boolean("False when the file has more lines than were counted"),
  startLine: s.integer(
    "First line returned; negative when counted from the end of a file too big to be counted",
  ),
  endLine: s.integer("Last line returned"),
  linesRead: s.integer("Number of lines returned"),
  truncated: s.boolean("Whether there is more after the content returned"),
  nextOffset: s.optional(s.integer("The offset that continues")),
  cutChars: s.optional(s.integer("Characters of the last line that are missing because it is too long")),
  unchanged: s.optional(s.boolean("True when the file still has the hash given in if_changed_since")),
  mimeType: s.optional(s.string("Type of an image or document")),
  width: s.optional(s.integer("Width of an image in pixels")),
  height: s.optional(s.integer("Height of an image in pixels")),
  totalPages: s.optional(s.integer("Pages of a PDF")),
  totalCells: s.optional(s.integer("Cells of a notebook")),
  part: s.optional(s.string('Pages or cells that were read, such as "1-5"')),
  attached: s.optional(s.boolean("Whether the image itself goes to the model")),
});

export type ReadFileArgs = Parsed<typeof readFileInput>;
export type ReadFileResult = Parsed<typeof readFileOutput>;
