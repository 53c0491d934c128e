import { isPlainName } from "@haft/text/path-rules";
import type { FileName, HeldDirectory } from "./held-directory.js";

/**
 * Returns whether a path can name an entry: a name that is not UTF-8 or contains control characters cannot be given
 * as text.
 */
export function isNameable(name: FileName): boolean {
  return typeof name === "string" && isPlainName(name);
}

/** Spells a name for a list, with escapes such as `\\n` or `\\xff`. A nameable one stays unchanged. */
export function spellName(name: FileName): string {
  if (typeof name === "string") return isPlainName(name) ? name : Array.from(name, spellCharacter).join("");
  return Array.from(name, (byte) => (isPlain(byte) ? String.fromCharCode(byte) : escaped(byte))).join("");
}

/** Returns all names of a directory, sorted by spelling. */
export function sortedNames(directory: HeldDirectory): readonly FileName[] {
  const names = directory.allNames();
  if (names.every((name) => typeof name === "string")) return names.sort();
  return names.sort((a, b) => (spellName(a) < spellName(b) ? -1 : 1));
}

function spellCharacter(character: string): string {
  return isPlainName(character) ? character : escaped(character.charCodeAt(0));
}

function escaped(code: number): string {
  return SHORT[code] ?? `\\x${code.toString(16).padStart(2, "0")}`;
}

const SHORT: Readonly<Record<number, string>> = { 9: "\\t", 10: "\\n", 13: "\\r" };

function isPlain(byte: number): boolean {
  return byte >= 0x20 && byte < 0x7f;
}
