import { ScaffoldError } from "./scaffold-error.js";

/** The requested name of a scaffold. */
export interface ReadName {
  /** Such as `@me`. */
  readonly scope?: string;
  /** Such as `word-count`. */
  readonly name: string;
}

/** Parses `word-count` or, except for roles, `@me/word-count`. Throws INVALID_NAME and suggests a valid name. */
export function readName(given: string, kind: string): ReadName {
  const [, scope, name = ""] = /^(?:(@[^/]*)\/)?(.*)$/s.exec(given) ?? [];
  const isScopeValid = scope === undefined || (kind !== "role" && SCOPE.test(scope));
  if (isScopeValid && isValid(name)) return { name, ...(scope !== undefined && { scope }) };
  throw new ScaffoldError(
    "INVALID_NAME",
    `${JSON.stringify(given.slice(0, 80))} is not a valid name for a ${kind}`,
    `Use at most ${MAX_CHARS} lower-case letters and digits, with - between words, such as ${proposed(name)}.`,
  );
}

/** Tool names have at most 64 characters, and those of a pack have a verb before this name. */
const MAX_CHARS = 50;
const NAME = /^[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*$/;
const SCOPE = /^@[a-z0-9~-][a-z0-9._~-]{0,99}$/;
/** Windows reserves the first ones for devices; npm and git exclude the last one. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d|node_modules)$/;

function isValid(name: string): boolean {
  return name.length <= MAX_CHARS && NAME.test(name) && !RESERVED.test(name);
}

function proposed(name: string): string {
  const words = name
    .slice(0, 200)
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
  const plain = words.join("-").replace(/^[0-9-]+/, "");
  const short = plain.slice(0, MAX_CHARS).replace(/-$/, "");
  const free = RESERVED.test(short.replaceAll("-", "_")) ? `${short}-tool` : short;
  return isValid(free) ? free : "word-count";
}
