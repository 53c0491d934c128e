import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ApprovalRequest } from "@haft/core";
import { argumentsText } from "@haft/prompt-formatter";
import type { CliIo } from "../cli-io.js";
import { askLine, type LineQuestion } from "./ask-line.js";

/** The arguments as a person changed them; undefined when what came back is no JSON object. */
export async function editArguments(
  request: ApprovalRequest,
  io: CliIo,
  asking: Pick<LineQuestion, "signal" | "onInterrupt">,
): Promise<unknown> {
  const editor = editorOf(io);
  const text =
    editor === undefined
      ? await askLine(io, { ...asking, question: "Arguments: ", prefill: onOneLine(request) })
      : await editInProgram(argumentsText(request, { indent: 2 }), editor);
  return parseObject(text ?? "");
}

/** Whether the arguments can be changed here: in an editor, or on a line that is not too long. */
export function canEdit(request: ApprovalRequest, io: CliIo): boolean {
  return editorOf(io) !== undefined || onOneLine(request).length <= MAX_LINE_CHARS;
}

// A line longer than a few screens can be neither read nor edited in a terminal.
const MAX_LINE_CHARS = 4_000;

function editorOf({ env }: CliIo): string | undefined {
  const editor = env.VISUAL || env.EDITOR;
  return editor === "" ? undefined : editor;
}

function onOneLine(request: ApprovalRequest): string {
  return argumentsText(request, { indent: 0 });
}

/** In a file that only its owner can read; undefined when the editor failed. */
async function editInProgram(text: string, editor: string): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), "haft-edit-"));
  const file = join(folder, "arguments.json");
  try {
    await writeFile(file, `${text}\n`, { mode: 0o600 });
    return (await runEditor(editor, file)) ? await readFile(file, "utf8") : undefined;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** An editor may be named with options (`code --wait`), so a shell takes it apart, as git does it. */
function runEditor(editor: string, file: string): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn("/bin/sh", ["-c", `${editor} "$1"`, "sh", file], { stdio: "inherit" });
    child.on("error", () => resolve(false));
    child.on("close", (code) => resolve(code === 0));
  });
}

function parseObject(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
