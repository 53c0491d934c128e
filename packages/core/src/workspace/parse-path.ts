import { isWellFormed } from "@haft/text";
import { isPlainName } from "@haft/text/path-rules";
import { invalidPath } from "./path-errors.js";
import { normalizePath } from "./path-text.js";

/**
 * Parses a path from a model or program into a workspace path ("" for the root). Decodes and expands nothing: `~`,
 * `%2e` and `C:\` are ordinary names.
 */
export function parsePath(given: unknown, rootSpellings: readonly string[]): string {
  if (typeof given === "string" && given.length <= MAX_NAME_BYTES && PLAIN.test(given)) return given;
  if (typeof given !== "string") throw invalidPath(String(given), "is not a path");
  assertWritable(given);
  const parts = segments(given);
  if (parts.includes("..")) throw climbing(given, rootSpellings);
  if (parts.length > MAX_SEGMENTS) throw invalidPath(given, `has more than ${MAX_SEGMENTS} segments`);
  if (!given.startsWith("/")) return parts.join("/");
  const inside = belowRoot(parts, rootSpellings);
  if (inside === undefined) throw invalidPath(given, "is outside the workspace");
  return inside.join("/");
}

function assertWritable(given: string): void {
  if (!isPlainName(given)) throw invalidPath(given, "contains a control character");
  if (!isWellFormed(given)) throw invalidPath(given, "is not well-formed text");
  if (bytesOf(given) > MAX_PATH_BYTES) throw invalidPath(given, `is longer than ${MAX_PATH_BYTES} bytes`);
  if (given.length > MAX_NAME_BYTES / 4 && given.split("/").some(isTooLong))
    throw invalidPath(given, `has a name longer than ${MAX_NAME_BYTES} bytes`);
}

/** Creates the error for `..`, which is refused even inside the workspace: through a link it would lead elsewhere. */
function climbing(given: string, rootSpellings: readonly string[]): Error {
  const equivalent = withoutClimbing(given, rootSpellings);
  const hint = equivalent === undefined ? undefined : `Without "..": ${equivalent === "" ? "." : equivalent}`;
  return invalidPath(given, 'contains ".."', { hint });
}

function withoutClimbing(given: string, rootSpellings: readonly string[]): string | undefined {
  const normal = normalizePath(given);
  if (normal === undefined || !given.startsWith("/")) return normal;
  return belowRoot(segments(normal), rootSpellings)?.join("/");
}

/** Compares segments: `/work-evil` is not inside `/work`. */
function belowRoot(
  parts: readonly string[],
  rootSpellings: readonly string[],
): readonly string[] | undefined {
  for (const root of rootSpellings) {
    const rootParts = segments(root);
    if (rootParts.every((part, index) => parts[index] === part)) return parts.slice(rootParts.length);
  }
  return undefined;
}

function segments(path: string): string[] {
  return path.split("/").filter((part) => part !== "" && part !== ".");
}

function isTooLong(name: string): boolean {
  return bytesOf(name) > MAX_NAME_BYTES;
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

// The usual form of a path, which needs no further checks.
const PLAIN = /^(?:[\w-][\w.-]*\/)*[\w-][\w.-]*$/;
const MAX_PATH_BYTES = 4096;
const MAX_NAME_BYTES = 255;
// Each folder on the way is opened again for each one below it.
const MAX_SEGMENTS = 256;
