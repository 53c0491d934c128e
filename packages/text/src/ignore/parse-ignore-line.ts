import type { PathMatcher } from "../glob/glob-matcher.js";
import { ignorePattern } from "./ignore-pattern.js";

/** One rule of an ignore file. */
export interface IgnoreRule {
  readonly negated: boolean;
  readonly folderOnly: boolean;
  /** True for a rule without a slash, which applies to names at any depth. */
  readonly byName: boolean;
  /** The literal name or path, for a rule without wildcards. */
  readonly plain: string | undefined;
  readonly extension: string | undefined;
  /** Undefined for rules that are looked up. */
  readonly matches: PathMatcher | undefined;
}

/** Rules longer than the longest path, or with an implausible number of wildcards, are skipped. */
const MAX_PLAIN_CHARS = 4096;
const MAX_WILD_CHARS = 1024;

/** Returns undefined for a line without a rule, and "passed over" for one that is too long. */
export function parseIgnoreLine(line: string): IgnoreRule | "passed over" | undefined {
  if (line === "" || line[0] === "#") return undefined;
  if (line === CUT_LINE) return "passed over";
  let text = withoutTrailingBlanks(line);
  const negated = text[0] === "!";
  if (negated) text = text.slice(1);
  const folderOnly = text.endsWith("/");
  if (folderOnly) text = text.slice(0, -1);
  const byName = !text.includes("/");
  if (text[0] === "/") text = text.slice(1);
  if (text === "") return undefined;
  const isPlain = !WILD.test(text);
  if (text.length > (isPlain ? MAX_PLAIN_CHARS : MAX_WILD_CHARS)) return "passed over";
  const isExtension = byName && !folderOnly && EXTENSION.test(text);
  return {
    negated,
    folderOnly,
    byName,
    plain: isPlain ? text : undefined,
    extension: isExtension ? text.slice(1) : undefined,
    matches: isPlain || isExtension ? undefined : onBytes(text),
  };
}

/** Marks the unread rest of a file. Git ignores a line that begins with a NUL. */
const CUT_LINE = "\0";

/** Keeps the complete rules at the start of a file that is too long: its last line may be half a rule. */
export function cutIgnoreText(text: string): string {
  return `${text.slice(0, text.lastIndexOf("\n") + 1)}${CUT_LINE}`;
}

const WILD = /[*?[\\]/;
const EXTENSION = /^\*\.[^*?[\\]+$/;

/** Strips trailing blanks, unless a backslash precedes the first of them. */
function withoutTrailingBlanks(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === " ") end--;
  if (end === line.length) return line;
  let backslashes = 0;
  while (line[end - 1 - backslashes] === "\\") backslashes++;
  return line.slice(0, backslashes % 2 === 1 ? end + 1 : end);
}

// Git compares bytes: `?` matches half of an `é`. ASCII names, nearly all of them, need no conversion.
function onBytes(pattern: string): PathMatcher {
  const matches = ignorePattern(toByteString(pattern));
  return (path) => matches(toByteString(path));
}

const BEYOND_ASCII = /[\u0080-\uffff]/;

function toByteString(text: string): string {
  if (!BEYOND_ASCII.test(text)) return text;
  let result = "";
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += CHUNK)
    result += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  return result;
}

/** A number of arguments that every engine accepts. */
const CHUNK = 8192;
