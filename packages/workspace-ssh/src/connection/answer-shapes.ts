/**
 * Returns whether the remote program could have sent an answer. A compromised machine can send anything else, which
 * must not reach the tools.
 */
export function isAnswerTo(op: string, value: unknown, body: Uint8Array): boolean {
  return SHAPES.get(op)?.(value, body) ?? true;
}

/** Returns why a request failed, if the answer has the form of an error of the remote program. */
export function isFailure(value: unknown): value is { code: string; path: string; why?: string } {
  return (
    isObject(value) &&
    typeof value.code === "string" &&
    CODE.test(value.code) &&
    isText(value.path) &&
    isOptional(isText, value.why)
  );
}

export function isStale(value: unknown): value is { path: string; why: string } {
  return isObject(value) && isPath(value.path) && isText(value.why);
}

type Shape = (value: unknown, body: Uint8Array) => boolean;

const SHAPES: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  ["hello", (value) => isObject(value) && isText(value.root) && isListOf(isText, value.spellings)],
  [
    "locate",
    (value) =>
      isObject(value) &&
      isPath(value.path) &&
      typeof value.dangling === "boolean" &&
      isOptional(isEntryOrNull, value.entry),
  ],
  ["entries", (value) => isListOf(isEntryOrNull, value)],
  [
    "many",
    (value, body) =>
      isListOf(isState, value) &&
      value.reduce((sum: number, { length = 0 }) => sum + length, 0) === body.length,
  ],
  [
    "read",
    (value) =>
      isObject(value) && isPath(value.path) && isEntry(value.entry) && isOptional(isBoolean, value.tooLarge),
  ],
  ["open", (value) => isObject(value) && isPath(value.path) && isCount(value.handle) && isCount(value.size)],
  ["hash", (value) => isObject(value) && isPath(value.path) && isText(value.hash)],
  ["list", (value) => isListOf(isListing, value)],
  [
    "snapshot",
    (value) =>
      isObject(value) && isPath(value.path) && (value.snapshot === null || isSnapshot(value.snapshot)),
  ],
  ["settle", (value) => isObject(value) && isBoolean(value.applied)],
]);

const TYPES: readonly unknown[] = ["file", "directory", "symlink", "other"];
/** Error codes of errno, and those of the remote program. */
const CODE = /^(?:E[A-Z0-9]{1,20}|OUTSIDE|LINK|TOO_MANY|LOCKED|EXPIRED)$/;
/** The latest time that a Date can represent. */
const MAX_MS = 8.64e15;

function isEntry(value: unknown): boolean {
  return (
    isObject(value) &&
    TYPES.includes(value.type) &&
    isCount(value.size) &&
    typeof value.modifiedMs === "number" &&
    Math.abs(value.modifiedMs) <= MAX_MS &&
    isCount(value.mode) &&
    isOptional(isText, value.target) &&
    isOptional(isBoolean, value.outside) &&
    isOptional(isText, value.name) &&
    isOptional(isHex, value.raw)
  );
}

function isEntryOrNull(value: unknown): boolean {
  return value === null || isEntry(value);
}

function isState(value: unknown): value is { readonly length?: number } {
  return isObject(value) && isOptional(isEntryOrNull, value.entry) && isOptional(isCount, value.length);
}

function isListing(value: unknown): boolean {
  if (!isObject(value)) return false;
  if (value.failed !== undefined) return typeof value.failed === "string" && CODE.test(value.failed);
  return isPath(value.path) && isListOf(isNamed, value.entries) && isOptional(isRules, value.rules);
}

/** An entry of a folder has a plain name, which leads nowhere else. */
function isNamed(value: unknown): boolean {
  if (!isEntry(value)) return false;
  const { name, raw } = value as { readonly name?: string; readonly raw?: string };
  return raw !== undefined
    ? raw !== "" && !/^(?:..)*2f/.test(raw)
    : name !== undefined && name !== "" && isPath(name) && !name.includes("/");
}

function isRules(value: unknown): boolean {
  return (
    isObject(value) &&
    [value.gitignore, value.ignore, value.exclude].every(
      (text) => text === null || isOptional(isText, text),
    ) &&
    isOptional(isBoolean, value.isRepository)
  );
}

function isSnapshot(value: unknown): boolean {
  return (
    isObject(value) &&
    TYPES.includes(value.type) &&
    isText(value.hash) &&
    isCount(value.size) &&
    isCount(value.mode) &&
    isOptional(isText, value.target) &&
    (value.entries === undefined || isListOf(isText, value.entries)) &&
    isOptional(isBoolean, value.held)
  );
}

/** A path inside the workspace, in its shortest form. */
function isPath(value: unknown): boolean {
  return isText(value) && (value === "" || value.split("/").every((part) => !NO_NAMES.includes(part)));
}

const NO_NAMES: readonly string[] = ["", ".", ".."];

function isHex(value: unknown): boolean {
  return isText(value) && /^(?:[0-9a-f]{2})*$/.test(value);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === "boolean";
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isListOf<T>(
  is: ((value: unknown) => value is T) | ((value: unknown) => boolean),
  value: unknown,
): value is T[] {
  return Array.isArray(value) && value.every((each) => is(each));
}

function isOptional(is: (value: unknown) => boolean, value: unknown): boolean {
  return value === undefined || is(value);
}
