import { splitLines, truncateLine } from "@haft/text";
import { describeSize } from "../describe-size.js";
import { LINE_CHARS } from "./read-limits.js";

/** A Jupyter notebook, taken as far as it can be understood: nothing in it is trusted to have a form. */
export interface Notebook {
  readonly language: string;
  readonly cells: readonly unknown[];
}

/** Undefined when the text is no notebook. */
export function parseNotebook(text: string): Notebook | undefined {
  const root = member(tryParse(text));
  const worksheets = Array.isArray(root.worksheets) ? root.worksheets : [];
  // Version 3 had one more level.
  const cells = root.cells ?? member(worksheets[0]).cells;
  if (!Array.isArray(cells)) return undefined;
  const metadata = member(root.metadata);
  const language = member(metadata.kernelspec).language ?? member(metadata.language_info).name;
  return { language: typeof language === "string" ? language.slice(0, 40) : "python", cells };
}

/** One cell: a heading with its number, the source, and the outputs as short text. */
export function renderCell(cell: unknown, number: number, language: string): string {
  const { cell_type: type, source, input, outputs } = member(cell);
  const kind = typeof type === "string" ? type.slice(0, 40) : "unknown";
  const heading = `[${number}] ${kind}${kind === "code" ? ` ${language}` : ""}`;
  const shown = (Array.isArray(outputs) ? outputs : []).slice(0, MAX_OUTPUTS).map(renderOutput);
  const rest = Array.isArray(outputs) ? outputs.length - shown.length : 0;
  return [
    heading,
    joined(source ?? input),
    ...shown.filter((output) => output !== "").map((output) => `Output:\n${output}`),
    ...(rest > 0 ? [`… ${rest} more outputs`] : []),
  ].join("\n");
}

const MAX_OUTPUTS = 50;
const MAX_OUTPUT_LINES = 20;

function renderOutput(output: unknown): string {
  const { output_type: type, text, data, ename, evalue, traceback } = member(output);
  if (type === "error") return shorten(`${joined(ename)}: ${joined(evalue)}\n${joined(traceback, "\n")}`);
  if (text !== undefined) return shorten(joined(text));
  const byType = member(data);
  const images = Object.keys(byType)
    .filter((mimeType) => mimeType.startsWith("image/") && mimeType !== "image/svg+xml")
    .map((mimeType) => `<${mimeType} ${describeSize(decodedBytes(joined(byType[mimeType])))}>`);
  const plain = byType["text/plain"] ?? byType["text/markdown"] ?? byType["text/html"];
  const spoken = plain === undefined ? [] : [shorten(joined(plain))];
  return [...images, ...spoken].join("\n");
}

function shorten(text: string): string {
  const lines = splitLines(text.replace(ANSI, ""));
  const shown = lines.slice(0, MAX_OUTPUT_LINES).map((line) => truncateLine(line, LINE_CHARS));
  const rest = lines.length - shown.length;
  return [...shown, ...(rest > 0 ? [`… ${rest} more lines`] : [])].join("\n");
}

// Tracebacks are coloured. Built from a string, because a control character in a literal reads as a mistake.
const ANSI = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, "g");

function decodedBytes(base64: string): number {
  return Math.floor((base64.trimEnd().replace(/=+$/, "").length * 3) / 4);
}

/** Notebooks write text as a string or as a list of lines. */
function joined(value: unknown, separator = ""): string {
  if (typeof value === "string") return value;
  if (!Array.isArray(value)) return "";
  return value.filter((line) => typeof line === "string").join(separator);
}

function member(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
