import { defineTool, ToolError } from "@haft/core";
import { dominantLineEnding, type LineEnding, withLineEnding } from "@haft/text";
import { describeSize } from "../describe-size.js";
import { PATH_ALIASES } from "../path-parameter.js";
import { fitContent } from "./fit-content.js";
import { renderAppend } from "./render-write.js";
import { type StandingFile, standingFile } from "./standing-file.js";
import { writeResult } from "./write-result.js";
import { type AppendFileArgs, appendFileInput, writeOutput } from "./write-schema.js";

export const AppendFileTool = defineTool({
  name: "append_file",
  summary: "Add text at the end of a file; creates it when it does not exist.",
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
    "Use it for logs, lists and ignore files; nothing that is in the file already can be lost.",
    "The text starts on a line of its own unless ensure_newline is false. End it with a newline yourself.",
  ].join("\n"),
  termination: "After the last addition that the task needs, stop. A repeated call adds the text again.",
  dialects: { claude: "hidden" },
  previewOnly: ({ dry_run }) => dry_run,
  render: renderAppend,

  async run(args, { workspace }) {
    const { path } = args;
    const standing = await standingFile(path, workspace);
    if (standing === "unknown") throw needsReading(path);
    const text =
      standing === "nothing"
        ? await fitContent({ path, content: args.content, standing }, workspace)
        : whole(standing, args);
    await workspace.writeText(path, text);
    const result = await writeResult({ path, standing, sizeIfUnknown: 0 }, workspace);
    const before = standing === "nothing" ? 0 : standing.stat.size;
    return { ...result, bytesWritten: result.size - before };
  },
});

/** The old text, exactly as it was, and the new behind it. */
function whole({ stat, text: before }: StandingFile, args: AppendFileArgs): string {
  if (stat.size > MAX_APPENDED_BYTES) throw tooLarge(args.path, stat.size);
  if (before === undefined) {
    throw new ToolError("BINARY_FILE", `Cannot append text to ${args.path}: it is a binary file`, {
      hint: "Only text files can be added to.",
    });
  }
  const ending = dominantLineEnding(before.text) ?? "lf";
  const isOpen = before.text !== "" && !before.text.endsWith("\n");
  const start = args.ensure_newline && isOpen && args.content !== "" ? lineBreak(ending) : "";
  return before.text + start + fitted(args.content, ending);
}

/** What a rehearsal may hold is for the file as it is and as it will be. */
const MAX_APPENDED_BYTES = 10_000_000;

function tooLarge(path: string, size: number): ToolError {
  return new ToolError(
    "FILE_TOO_LARGE",
    `Cannot append to ${path}: it has ${describeSize(size)}, and files above ${describeSize(MAX_APPENDED_BYTES)} are not added to by this tool`,
    {
      hint: "Nothing was changed. Start a new file beside it, or let a command write to its end (printf '%s\\n' text >> file).",
      details: { path, size, maxBytes: MAX_APPENDED_BYTES },
    },
  );
}

function fitted(content: string, ending: LineEnding): string {
  return ending === "crlf" && !content.includes("\r\n") ? withLineEnding(content, "crlf") : content;
}

function lineBreak(ending: LineEnding): string {
  return ending === "crlf" ? "\r\n" : "\n";
}

function needsReading(path: string): ToolError {
  return new ToolError(
    "PERMISSION_DENIED",
    `Adding to ${path} needs ReadFiles, which this role does not hold`,
    {
      details: { missing: ["ReadFiles"] },
    },
  );
}
