import { isSecretName } from "./secret-values.js";

/**
 * What in a sensitive file is a secret: values under a name that says so, passwords in addresses, and whatever looks
 * like a key. Ordinary settings (`NODE_ENV=production`) are none: they would be taken out of every output.
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
  return (isSecretName(name) && isUnusual(value)) || looksRandom(value) ? [value] : [];
}

/** As in .pgpass and .htpasswd, where the last field is the password. */
function ofFields(line: string): readonly string[] {
  const last = line.slice(line.lastIndexOf(":") + 1);
  return line.includes(":") && !/\s/.test(line) && isUnusual(last) ? [last] : [];
}

function unquoted(given: string): string {
  const quoted = /^(["'`])(.*)\1[,;]?$/.exec(given);
  return quoted?.[2] ?? given.replace(/\s+#.*$/, "").replace(/[,;]$/, "");
}

/** No word that stands in ordinary text as well. */
function isUnusual(value: string): boolean {
  return value.length >= LONG_CHARS || /[^a-z._/:-]/.test(value);
}

function looksRandom(value: string): boolean {
  if (!/^[\w+/=.~-]{16,}$/.test(value) || !/\d/.test(value)) return false;
  return (/[a-z]/.test(value) && /[A-Z]/.test(value)) || (value.length >= 32 && /[a-z]/i.test(value));
}

const EQUALS = /^(?:export\s+)?["']?([\w./:@-]{1,200})["']?\s*=\s*(\S.*)$/;
const COLON = /^["']?([\w.-]{1,200})["']?\s*:\s+(\S.*)$/;
const PASSWORD_IN_URL = /:\/\/[^\s/:@]{0,200}:([^\s/@]{1,200})@/g;
const SPOKEN = /\b(?:password|token|secret)\s+(\S{1,200})/gi;
const MIN_CHARS = 6;
const LONG_CHARS = 12;
const MAX_LINE_CHARS = 4_096;
const MAX_VALUES = 200;
