import { renderInline } from "@haft/text";

/**
 * Describes arguments in one line: the main value first, then short values with their names; long texts are counted.
 * The result is escaped.
 */
export function describeArguments(args: Readonly<Record<string, unknown>>): string {
  const main = MAIN.find((name) => typeof args[name] === "string");
  const others = Object.entries(args).filter(([name, value]) => name !== main && value !== undefined);
  const first = main === undefined ? [] : [shortText(String(args[main]))];
  return [...first, ...others.map(([name, value]) => described(name, value))].join(" · ");
}

/** Parameters whose value needs no name; the first match wins. */
const MAIN = [
  "command",
  "pattern",
  "query",
  "url",
  "path",
  "file_path",
  "filePath",
  "source",
  "from",
  "code",
];

function described(name: string, value: unknown): string {
  const label = renderInline(name, { maxChars: 40 });
  if (value === true) return label;
  if (typeof value === "string") return `${label} ${quoted(value)}`;
  if (typeof value !== "object" || value === null) return `${label} ${String(value)}`;
  const texts = Array.isArray(value) ? value : [];
  if (texts.length > 0 && texts.length <= MAX_ITEMS && texts.every((item) => typeof item === "string"))
    return `${label} ${texts.map((text) => shortText(text)).join(", ")}`;
  return `${label} (${counted(value)})`;
}

const MAX_ITEMS = 4;

function counted(value: object): string {
  const size = Array.isArray(value) ? value.length : Object.keys(value).length;
  const what = Array.isArray(value) ? "item" : "field";
  return `${size} ${what}${size === 1 ? "" : "s"}`;
}

function quoted(text: string): string {
  const lines = text.trimEnd().split("\n").length;
  if (lines > 1) return `(${lines} lines)`;
  return /^[\w./:@-]+$/.test(text) ? shortText(text) : `"${shortText(text.trimEnd())}"`;
}

function shortText(text: string): string {
  const [first = "", ...rest] = text.trimEnd().split("\n");
  const shown = renderInline(first, { maxChars: MAX_CHARS });
  return rest.length === 0 ? shown : `${shown} … (${rest.length + 1} lines)`;
}

const MAX_CHARS = 120;
