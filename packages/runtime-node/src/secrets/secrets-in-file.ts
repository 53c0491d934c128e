import { settingName } from "./setting-name.js";

/**
 * Returns the secrets in a sensitive file: values under a secret-like name, passwords in addresses, and text that
 * looks like a key. Ordinary settings (`NODE_ENV=production`) do not count: they would be redacted from every output.
 */
export function secretsIn(text: string): readonly string[] {
  const found = new Set<string>();
  for (const line of text.split(/\r?\n/)) {
    if (line.length > MAX_LINE_CHARS) continue;
    for (const value of secretsOfLine(line.trim())) found.add(value);
    if (found.size >= MAX_VALUES) break;
  }
  return [...found].slice(0, MAX_VALUES);
}

function secretsOfLine(line: string): readonly string[] {
  const inUrl = [...line.matchAll(PASSWORD_IN_URL)].map((match) => match[1] ?? "");
  const spoken = [...line.matchAll(SPOKEN)].map((match) => match[1] ?? "");
  return [...inUrl, ...spoken.filter(isUnusual), ...ofAssignment(line)].filter(
    (value) => value.length >= MIN_CHARS,
  );
}

function ofAssignment(line: string): readonly string[] {
  const [, name, given] = EQUALS.exec(line) ?? COLON.exec(line) ?? [];
  if (name === undefined || given === undefined) return looksRandom(line) ? [line] : ofFields(line);
  const value = unquoted(given);
  if (IS_URL.test(value)) return value.split(/[/?&=#:@]+/).filter(looksRandom);
  return isSecret(name, value) || looksRandom(value) ? [value] : [];
}

function isSecret(name: string, value: string): boolean {
  const says = settingName(name);
  // A number also occurs in ordinary text, unless it is a password.
  return says.isSecret && isUnusual(value) && (says.isPassword || !IS_NUMBER.test(value));
}

/** Reads formats such as .pgpass and .htpasswd, whose last field is the password. */
function ofFields(line: string): readonly string[] {
  const last = line.slice(line.lastIndexOf(":") + 1);
  return line.includes(":") && !/\s/.test(line) && !IS_URL.test(line) && isUnusual(last) ? [last] : [];
}

function unquoted(given: string): string {
  const quoted = /^(["'`])(.*)\1[,;]?$/.exec(given);
  return quoted?.[2] ?? given.replace(/\s+#.*$/, "").replace(/[,;]$/, "");
}

/** Returns false for words that also occur in ordinary text. */
function isUnusual(value: string): boolean {
  return value.length >= LONG_CHARS || /[^a-z._/:-]/.test(value);
}

function looksRandom(value: string): boolean {
  if (!/^[\w+/=.~-]{16,}$/.test(value) || !/\d/.test(value)) return false;
  const isMixed = /[a-z]/.test(value) && /[A-Z]/.test(value);
  if (!isMixed && (value.length < 32 || !/[a-z]/i.test(value))) return false;
  // Words and numbers with separators are a version, a name or a path.
  return !value.split(/[^A-Za-z0-9]+/).every((part) => ORDINARY_PART.test(part));
}

const ORDINARY_PART = /^(?:v?\d{0,8}|[a-z]*(?:[A-Z][a-z]+){0,4}\d{0,4}|[A-Z]{1,12}\d{0,4})$/;
const IS_URL = /^[a-z][a-z0-9+.-]*:\/\/\S*$/i;
const IS_NUMBER = /^[\d._,-]+$/;
const EQUALS = /^(?:export\s+)?["']?([\w./:@-]{1,200})["']?\s*=\s*(\S.*)$/;
const COLON = /^["']?([\w.-]{1,200})["']?\s*:\s+(\S.*)$/;
const PASSWORD_IN_URL = /:\/\/[^\s/:@]{0,200}:([^\s/@]{1,200})@/g;
const SPOKEN = /\b(?:password|token|secret)\s+(\S{1,200})/gi;
const MIN_CHARS = 6;
const LONG_CHARS = 12;
const MAX_LINE_CHARS = 4_096;
const MAX_VALUES = 200;
