import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ApprovalRequest, messageOf } from "@haft/core";
import { canonicalJson } from "@haft/core/kernel";
import { argumentsText } from "@haft/prompt-formatter";
import { renderInline } from "@haft/text";
import type { CliIo } from "../cli-io.js";
import { wrappedLines } from "../run/styled-rows.js";
import { askLine, type LineQuestion } from "./ask-line.js";
import { terminalSize } from "./terminal-size.js";

/**
 * Lets the user edit the arguments. Text that is not a JSON object comes back to the user with the reason. Returns the
 * arguments, or a message explaining why they are unchanged.
 */
export async function editArguments(
  request: ApprovalRequest,
  io: CliIo,
  asking: Pick<LineQuestion, "signal" | "onInterrupt">,
): Promise<{ readonly args: object } | string> {
  const editor = editorOf(io);
  let text = argumentsText(request, { indent: editor === undefined ? 0 : 2 });
  for (;;) {
    const edited =
      editor === undefined
        ? await askLine(io, { ...asking, question: "Arguments: ", prefill: text })
        : await editInProgram(text, editor);
    if (edited === undefined && editor !== undefined)
      return "The arguments are unchanged: the editor failed.";
    if (edited === undefined || edited.trim() === "") return UNCHANGED;
    const parsed = parseObject(edited);
    if (parsed.args !== undefined) {
      const isSame = canonicalJson(parsed.args) === canonicalJson(request.args);
      return isSame ? UNCHANGED : { args: parsed.args };
    }
    const isRepeated = edited.trim() === text.trim();
    const problem = `not a JSON object: ${parsed.problem}`;
    if (isRepeated || asking.signal.aborted) return `The arguments are unchanged: the text is ${problem}.`;
    const told = `The text is ${problem}. ${editor === undefined ? LINE_ADVICE : EDITOR_ADVICE}`;
    io.stderr.write(`${wrappedLines(told, terminalSize(io.stderr).columns).join("\n")}\n`);
    if (editor !== undefined && !(await wantsToGoOn(io, asking))) return UNCHANGED;
    text = edited.trimEnd();
  }
}

const UNCHANGED = "The arguments are unchanged.";
const LINE_ADVICE = "Correct it, or empty the line to leave the arguments as they are.";
const EDITOR_ADVICE = "Your text is kept.";

async function wantsToGoOn(
  io: CliIo,
  asking: Pick<LineQuestion, "signal" | "onInterrupt">,
): Promise<boolean> {
  const question = "Edit it again? (Enter = yes, n = leave the arguments as they are) ";
  const typed = await askLine(io, { ...asking, question });
  return typed !== undefined && !/^n/i.test(typed.trim());
}

/**
 * Returns whether the arguments can be edited before the tool runs: in an editor, or on one line that is not too long.
 */
export function canEdit(request: ApprovalRequest, io: CliIo): boolean {
  if (request.hasRun === true) return false;
  return editorOf(io) !== undefined || onOneLine(request).length <= MAX_LINE_CHARS;
}

// A longer line cannot be read or edited in a terminal.
const MAX_LINE_CHARS = 4_000;

function editorOf({ env }: CliIo): string | undefined {
  const editor = env.VISUAL || env.EDITOR;
  return editor === "" ? undefined : editor;
}

function onOneLine(request: ApprovalRequest): string {
  return argumentsText(request, { indent: 0 });
}

/** Edits the text in a file only its owner can read. Returns undefined if the editor failed. */
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

/** $EDITOR may contain options (`code --wait`), so a shell splits it, as git does. */
async function runEditor(editor: string, file: string): Promise<boolean> {
  const { execa } = await import("execa");
  const { exitCode } = await execa("/bin/sh", ["-c", `${editor} "$1"`, "sh", file], {
    stdio: "inherit",
    reject: false,
  });
  return exitCode === 0;
}

function parseObject(
  text: string,
): { readonly args: object } | { readonly args?: never; readonly problem: string } {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return { args: value };
    return { problem: Array.isArray(value) ? "it is a list" : "it has no braces" };
  } catch (error) {
    return { problem: renderInline(messageOf(error), { maxChars: 120 }) };
  }
}
