import { defineTool, type TextFile, ToolError } from "@haft/core";
import { describeBytes, dominantLineEnding, type LineEnding, withLineEnding } from "@haft/text";
import { PATH_ALIASES } from "../path-parameter.js";
import { type ExistingFile, existingFile } from "./existing-file.js";
import { fitContent, formatOption } from "./fit-content.js";
import { renderAppend } from "./render-write.js";
import { writeResult } from "./write-result.js";
import { type AppendFileArgs, appendFileInput, writeOutput } from "./write-schema.js";

export const AppendFile = defineTool({
  name: "append_file",
  summary: "Add text at the end of a file; creates it when it does not exist.",
  deferred: true,
  category: "write",
  permissions: ["WriteFiles"],
  alsoUses: ["ReadFiles", "CreateFiles"],
  approval: "confirm",
  input: appendFileInput,
  output: writeOutput,
  pack: "@haft/tool-fs",
  aliases: {
    path: PATH_ALIASES,
    content: ["contents", "text", "data"],
    dry_run: ["preview", "preview_only"],
  },
  examples: [
    { when: "add an entry to a log", args: { path: "CHANGELOG.md", content: "- Fixed the parser\n" } },
  ],
  guidance: [
    "Use it for logs, lists and ignore files; existing content cannot be lost.",
    "The text starts on a line of its own unless ensure_newline is false. End it with a newline yourself.",
  ].join("\n"),
  termination: "After the last addition that the task needs, stop. A repeated call adds the text again.",
  dialects: { claude: "hidden" },
  previewOnly: ({ dry_run }) => dry_run,
  render: renderAppend,

  async run(args, { workspace }) {
    const { path } = args;
    const existing = await existingFile(path, workspace, { place: { end: true }, encoding: args.encoding });
    if (existing === "unknown") throw needsReading(path);
    if (existing === "nothing")
      await workspace.writeText(
        path,
        await fitContent({ path, content: args.content, existing }, workspace),
        formatOption(args.encoding),
      );
    else {
      const before = textOf(existing, args);
      const end = before.text.length;
      await workspace.spliceText(path, before, [{ start: end, end, replacement: added(before.text, args) }]);
    }
    const result = await writeResult({ path, existing, sizeIfUnknown: 0 }, workspace);
    const before = existing === "nothing" ? 0 : existing.stat.size;
    return { ...result, bytesWritten: result.size - before };
  },
});

function textOf({ stat, text }: ExistingFile, { path }: AppendFileArgs): TextFile {
  if (stat.size >= MAX_APPENDED_BYTES) throw tooLarge(path, stat.size);
  if (text !== undefined) return text;
  throw new ToolError("BINARY_FILE", `Cannot append text to ${path}: it is a binary file`, {
    hint: "Only text files can be appended to.",
  });
}

/** The text to append after the existing content. */
function added(before: string, args: AppendFileArgs): string {
  const ending = dominantLineEnding(before);
  const isOpen = before !== "" && !before.endsWith("\n");
  const needsBreak = args.ensure_newline && isOpen && args.content !== "";
  const start = needsBreak ? lineBreak(ending ?? dominantLineEnding(args.content)) : "";
  return start + (ending === undefined ? args.content : withLineEnding(args.content, ending));
}

/** The maximum size that a rehearsal may hold. */
const MAX_APPENDED_BYTES = 20 * 1024 * 1024;

function tooLarge(path: string, size: number): ToolError {
  return new ToolError(
    "FILE_TOO_LARGE",
    `Cannot append to ${path}: it has ${describeBytes(size)}, and this tool supports files below ${describeBytes(MAX_APPENDED_BYTES)}`,
    {
      hint: "Nothing was changed. Create a new file, or append with a command (printf '%s\\n' text >> file).",
      details: { path, size, maxBytes: MAX_APPENDED_BYTES },
    },
  );
}

function lineBreak(ending: LineEnding | undefined): string {
  return ending === "crlf" ? "\r\n" : "\n";
}

function needsReading(path: string): ToolError {
  return new ToolError(
    "PERMISSION_DENIED",
    `Appending to ${path} requires ReadFiles, which this role lacks`,
    {
      details: { missing: ["ReadFiles"] },
    },
  );
}
