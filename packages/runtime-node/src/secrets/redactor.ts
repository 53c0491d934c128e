import { type Redact, redactStrings } from "@haft/core";
import type { SecretValue } from "./secret-values.js";

/**
 * Replaces secrets with `[secret:NAME]` in all output. Makes one pass over each text, and returns the same object if
 * nothing matches.
 */
export function createRedactor(secrets: readonly SecretValue[]): Redact {
  const names = spellings(secrets);
  if (names.size === 0) return (value) => value;
  const pattern = new RegExp([...names.keys()].sort(longestFirst).map(escapeForRegExp).join("|"), "g");
  return redactStrings((text) => {
    pattern.lastIndex = 0;
    if (!pattern.test(text)) return text;
    return text.replace(pattern, (found) => placeholderOf(names.get(found) ?? ""));
  });
}

/** The placeholder that replaces a secret. */
export function placeholderOf(name: string): string {
  return `[secret:${name}]`;
}

/** Returns every form in which a secret can appear in a text, with its name. */
function spellings(secrets: readonly SecretValue[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { name, value } of secrets) {
    for (const spelling of [value, jsonSpelling(value), ...longLines(value)]) {
      if (!names.has(spelling)) names.set(spelling, name);
    }
  }
  return names;
}

/** Returns its form in JSON text, where quotes and line breaks are escaped. */
function jsonSpelling(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}

/** Returns the lines of a multi-line key: files are shown line by line, with numbers. */
function longLines(value: string): readonly string[] {
  const lines = value.split(/\r\n|\n|\\n/);
  if (lines.length === 1) return [];
  return lines.filter((line) => line.length >= MIN_LINE_LENGTH && !line.startsWith("-----"));
}

const MIN_LINE_LENGTH = 16;

function longestFirst(a: string, b: string): number {
  return b.length - a.length;
}

function escapeForRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}
