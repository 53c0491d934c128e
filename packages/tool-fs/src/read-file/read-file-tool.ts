import { type ContextOf, type FileStat, type Tool, ToolError, tool, toolDefinition } from "@haft/core";
import { WORK_LIMITER, type WorkLimiter } from "@haft/core/capabilities";
import { namedFormat } from "@haft/core/workspace";
import { withNearestNames } from "../missing-path.js";
import { PATH_ALIASES } from "../path-parameter.js";
import { fileFacts, NO_LINES } from "./file-facts.js";
import { fileKind } from "./file-kind.js";
import { readBase64 } from "./read-bytes.js";
import { type ReadFileArgs, type ReadFileResult, readFileInput, readFileOutput } from "./read-file-schema.js";
import { readImage } from "./read-image.js";
import { CONFIG_LIMITS, type ConfigLimits, READ_LIMITS, type ReadLimits } from "./read-limits.js";
import { readNotebook } from "./read-notebook.js";
import { readPdf } from "./read-pdf.js";
import { type FileInHand, readText, wholeText } from "./read-text.js";
import { renderFile } from "./render-file.js";
import { smallText } from "./small-text.js";

export const readFile = toolDefinition({
  name: "read_file",
  summary: "Read a file: text with line numbers, images, PDFs by page, Jupyter notebooks by cell.",
  brief: {
    description:
      "Read a file with line numbers. Use offset and limit for long files. Images, PDFs and notebooks work too.",
    parameters: {
      path: "File to read",
      offset: "First line, counted from 1",
      limit: "Number of lines",
      pages: "Pages of a PDF, such as 1-3",
    },
  },
  category: "read",
  permissions: ["ReadFiles"],
  approval: "auto",
  input: readFileInput,
  output: readFileOutput,
  inject: [READ_LIMITS, CONFIG_LIMITS, WORK_LIMITER],
  errors: ["INVALID_RANGE", "ENCODING_ERROR", "DAMAGED_FILE", "PDF_SUPPORT_MISSING"],
  pack: "@haft/tool-fs",
  aliases: {
    path: PATH_ALIASES,
    offset: ["start_line", "from_line", "line"],
    limit: ["max_lines", "num_lines", "line_count"],
    if_changed_since: ["known_hash", "if_none_match"],
  },
  examples: [
    { when: "look at a whole file", args: { path: "src/index.ts" } },
    { when: "continue a long file", args: { path: "src/parser.ts", offset: 2001 } },
    { when: "see the end of a log", args: { path: "logs/build.log", offset: -100 } },
    { when: "read two pages of a PDF", args: { path: "docs/manual.pdf", pages: "3-4" } },
  ],
  guidance: [
    "Use it before you change a file, and whenever you need exact text: edits are checked against what was read.",
    "Returns up to 2000 lines or 50 KB; the last line of the answer says how to continue. Lines over 2000 characters are cut.",
    "Line numbers are not part of the file: leave `12: ` out when you copy text into an edit.",
    "In a big file find the line with [[grep]] and read around it with offset and limit.",
  ].join("\n"),
  termination:
    "Go on after reading: it only gathers information. Stop when what you read answers the user's question.",
  dialects: {
    claude: {
      name: "Read",
      parameters: { path: "file_path" },
      omit: ["encoding", "line_numbers", "cells", "if_changed_since"],
    },
  },
  // An unchanged file was not shown again.
  showsFiles: ({ path, hash, unchanged }) => (hash === undefined || unchanged ? [] : [{ path, hash }]),
  render: renderFile,
});

@tool(readFile)
export class ReadFile implements Tool<typeof readFile> {
  static readonly definition = readFile;
  readonly #limits: ReadLimits;
  readonly #limiter: WorkLimiter;

  constructor(limits: ReadLimits, { readBytes = limits.pageBytes }: ConfigLimits, limiter: WorkLimiter) {
    this.#limits = { ...limits, pageBytes: readBytes };
    this.#limiter = limiter;
  }

  async run(args: ReadFileArgs, context: ContextOf<typeof readFile>): Promise<ReadFileResult> {
    const file = await regularFile(args, context);
    const known = args.if_changed_since;
    const hash = known === undefined ? undefined : await context.workspace.hashOf(file.path);
    if (hash !== undefined && hash === known) return unchanged(file, hash, context.workspace);
    const encoding = namedEncoding(args);
    const isWhole =
      args.encoding !== "base64" && encoding === undefined && file.size <= this.#limits.wholeBytes;
    const small = isWhole ? await smallText(file, context.workspace) : undefined;
    if (small !== undefined) return wholeText(small, { args, limits: this.#limits }, context);
    const head = await context.workspace.readBytes(file.path, { start: 0, end: this.#headBytes(file) });
    const hand: FileInHand = {
      file,
      head,
      args,
      encoding,
      limits: this.#limits,
      limiter: this.#limiter,
      ...(hash === undefined ? {} : { hash }),
    };
    if (args.encoding === "base64") return readBase64(hand, context);
    if (encoding !== undefined) return readText(hand, context);
    const found = fileKind(head, file.path);
    switch (found.kind) {
      case "image":
        return readImage(hand, found.mimeType, context);
      case "pdf":
        return readPdf(hand, context);
      case "notebook":
        return readNotebook(hand, context);
      case "text":
        return readText(hand, context);
    }
  }

  /** Signatures need few bytes, and the first lines are usually all that is requested of a big file. */
  #headBytes({ size }: FileStat): number {
    return Math.min(size, size <= this.#limits.wholeBytes ? SIGNATURE_BYTES : SAMPLE_BYTES);
  }
}

/** Returns the encoding named by the caller. Undefined to detect it. */
function namedEncoding({ encoding }: ReadFileArgs): string | undefined {
  return encoding === "base64" || namedFormat(encoding) === undefined ? undefined : encoding;
}

const SIGNATURE_BYTES = 4 * 1024;
// The amount a workspace reads synchronously.
const SAMPLE_BYTES = 128 * 1024;

/** Rejects anything but a regular file before opening it: opening a pipe would block. */
async function regularFile(args: ReadFileArgs, { workspace }: ContextOf<typeof readFile>): Promise<FileStat> {
  const { path } = args;
  const file = await workspace.stat(path).catch(async (error) => {
    throw await withNearestNames(error, workspace, {
      path,
      next: (nearest) => ({ tool: "read_file", args: { path: nearest } }),
    });
  });
  if (file.type === "file") return file;
  if (file.type === "directory") {
    throw new ToolError("IS_DIRECTORY", `Cannot read directory: ${path}`, {
      hint: "Use [[list_directory]] to see what is in it.",
      next: { tool: "list_directory", args: { path } },
    });
  }
  throw new ToolError("NOT_A_FILE", `${path} is a pipe, socket or device, not a regular file`, {
    hint: "Only regular files can be read.",
  });
}

function unchanged(
  file: FileStat,
  hash: string,
  workspace: ContextOf<typeof readFile>["workspace"],
): ReadFileResult {
  return { ...fileFacts(file, workspace), kind: "text", ...NO_LINES, content: "", hash, unchanged: true };
}
