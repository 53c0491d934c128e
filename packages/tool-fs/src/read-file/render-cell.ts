import { describeBytes, splitLines, truncateLine } from "@haft/text";
import { member } from "./parse-notebook.js";
import { LINE_CHARS } from "./read-limits.js";

/** Renders one cell: a numbered heading, the source, and the outputs as short text. */
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
    .map((mimeType) => `<${mimeType} ${describeBytes(decodedBytes(joined(byType[mimeType])))}>`);
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

// Tracebacks are coloured. Built from a string, because a control character in a literal looks like a mistake.
const ANSI = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, "g");

function decodedBytes(base64: string): number {
  return Math.floor((base64.trimEnd().replace(/=+$/, "").length * 3) / 4);
}

/** Notebooks store text as a string or a list of lines. */
function joined(value: unknown, separator = ""): string {
  if (typeof value === "string") return value;
  if (!Array.isArray(value)) return "";
  return value.filter((line) => typeof line === "string").join(separator);
}
