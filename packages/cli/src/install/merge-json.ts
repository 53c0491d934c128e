import { type JsonObject, readJsonObject } from "./read-json-object.js";

interface AddedEntry {
  /** The names of the objects that lead to the entry, and the entry's own name. */
  readonly path: readonly string[];
  readonly value: unknown;
}

/**
 * Sets an entry in a JSON text and keeps everything else, including comments and trailing commas, which editors allow.
 * Returns undefined if the text is not a JSON object, or if something on the path to the entry is not one.
 */
export function mergeJson(text: string, entry: AddedEntry): string | undefined {
  const mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : "";
  const body = text.slice(mark.length);
  const merged = set(body.trim() === "" ? "{}\n" : unfolded(body), entry);
  return merged === undefined ? undefined : mark + merged;
}

const BYTE_ORDER_MARK = "\ufeff";

/** Splits a text on one line into rows. */
function unfolded(text: string): string {
  if (/\S\s*\n\s*\S/.test(text)) return text;
  try {
    return `${JSON.stringify(JSON.parse(text), undefined, 2)}\n`;
  } catch {
    return text;
  }
}

function set(text: string, { path, value }: AddedEntry): string | undefined {
  let object = readJsonObject(text);
  for (const [index, name] of path.entries()) {
    if (object === undefined) return undefined;
    const member = object.members.findLast(({ key }) => key === name);
    const rest = path.slice(index + 1);
    const added = rest.reduceRight((inner, key) => ({ [key]: inner }), value);
    if (member === undefined) return withMember(text, object, { key: name, value: added });
    const { start, end } = member.value;
    if (rest.length === 0) {
      const shown = formatted(value, text, indentAt(text, start));
      return text.slice(0, start) + shown + text.slice(end);
    }
    object = member.value.object;
  }
  return undefined;
}

/** Adds a member after the last one and after the comment on its row. An object on one row stays on one row. */
function withMember(
  text: string,
  object: JsonObject,
  { key, value }: { key: string; value: unknown },
): string {
  const outer = indentAt(text, object.start);
  const [first] = object.members;
  const inner = first === undefined ? outer + unitOf(text) : indentAt(text, first.start);
  const eol = eolOf(text);
  const row = `${eol}${inner}${JSON.stringify(key)}: ${formatted(value, text, inner)}`;
  const last = object.members.at(-1);
  if (last === undefined) {
    const at = object.start + 1;
    const isFolded = !text.slice(at, object.end).includes("\n");
    return text.slice(0, at) + row + (isFolded ? eol + outer : "") + text.slice(at);
  }
  const at = last.commaEnd ?? last.value.end;
  const comma = last.commaEnd === undefined ? "," : "";
  if (!text.slice(object.start, object.end).includes("\n"))
    return `${text.slice(0, at)}${comma} ${JSON.stringify(key)}: ${JSON.stringify(value)}${text.slice(at)}`;
  const [behind = ""] = /^[ \t]*(?:\/\/[^\r\n]*|\/\*[^\r\n]*?\*\/)/.exec(text.slice(at)) ?? [];
  return text.slice(0, at) + comma + behind + row + text.slice(at + behind.length);
}

function formatted(value: unknown, text: string, indent: string): string {
  return JSON.stringify(value, undefined, unitOf(text))
    .split("\n")
    .join(`${eolOf(text)}${indent}`);
}

function eolOf(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

/** Returns the indentation of one level: that of the first indented row. */
function unitOf(text: string): string {
  return /^(\t| +)(?=["}\]])/m.exec(text)?.[1] ?? "  ";
}

/** Returns the indentation of the row at an offset. */
function indentAt(text: string, at: number): string {
  const row = text.slice(text.lastIndexOf("\n", at - 1) + 1);
  return /^[ \t]*/.exec(row)?.[0] ?? "";
}
