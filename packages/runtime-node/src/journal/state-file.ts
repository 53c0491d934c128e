import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFile,
  readFileSync,
  type Stats,
} from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { ToolError } from "@haft/core";
import { errnoOf } from "../workspace/system-error.js";

/**
 * Opens a file in the state folder. Follows no link and never waits for a pipe or a device. Throws STATE_DAMAGED with
 * advice if the path is anything but a file, or one that is too large to be read whole.
 */
export function openStateFile(path: string, flags: number = constants.O_RDONLY): number {
  return open(path, flags, MAX_TEXT_BYTES);
}

/** Opens a log of any size to append to it and to read parts of it. Throws like `openStateFile`. */
export function openStateLog(path: string): number {
  return open(path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT, Number.POSITIVE_INFINITY);
}

/** Reads a whole file in the state folder, or returns undefined if it is missing. Throws like `openStateFile`. */
export function readStateFile(path: string): Buffer | undefined {
  const descriptor = openToRead(path);
  if (descriptor === undefined) return undefined;
  try {
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Does the same for text, without blocking while a large file is read. */
export async function readStateText(path: string): Promise<string | undefined> {
  const descriptor = openToRead(path);
  if (descriptor === undefined) return undefined;
  try {
    return await promisify(readFile)(descriptor, "utf8");
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Returns the names in a folder of the state folder, or none if it is missing. Throws STATE_DAMAGED if it is a file.
 */
export function namesInState(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (thrown) {
    if (isNoneIn(folder, thrown)) return [];
    throw notPermitted(folder, thrown);
  }
}

/** Explains that something else lies where a file or folder of the state folder belongs. */
export function stateDamaged(
  path: string,
  what: string,
  remedy = "move it out of the state folder",
): ToolError {
  return new ToolError("STATE_DAMAGED", `${path} ${what}`, {
    hint: `Nothing was done. The user has to ${remedy} and repeat the command.`,
    details: { path },
  });
}

/** Explains that the permissions of a state file or folder keep its own user out. Returns other errors unchanged. */
function notPermitted(path: string, thrown: unknown): unknown {
  const errno = errnoOf(thrown) ?? "";
  if (!REFUSED.has(errno)) return thrown;
  const remedy = `make it accessible (chmod u+rwX ${path}) or move it out of the state folder,`;
  return stateDamaged(path, `cannot be opened: permission denied (${errno})`, remedy);
}

const REFUSED: ReadonlySet<string> = new Set(["EACCES", "EPERM"]);

/** Returns whether a folder is missing. A file above it counts: writing says how to choose another place. */
function isNoneIn(folder: string, thrown: unknown): boolean {
  if (errnoOf(thrown) === "ENOENT") return true;
  if (errnoOf(thrown) !== "ENOTDIR") return false;
  if (existsSync(folder)) throw stateDamaged(folder, "is not a folder");
  return true;
}

/** Returns undefined for a record that is not a file, with a warning: it must not hide the others. */
export function withoutDamaged(thrown: unknown): undefined {
  if (!ToolError.is(thrown) || thrown.code !== "STATE_DAMAGED") throw thrown;
  const warning = `${thrown.message}. Haft ignores it; move it out of the state folder.`;
  // Waiting callers read a folder again and again.
  if (!warned.has(warning)) process.emitWarning(warning);
  warned.add(warning);
}

const warned = new Set<string>();

const SAFELY = constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY;

/** The longest text that Node can hold. */
export const MAX_TEXT_BYTES = 512 * 1024 * 1024 - 64;

function open(path: string, flags: number, maxBytes: number): number {
  const descriptor = openSafely(path, flags, maxBytes);
  try {
    assertFile(path, fstatSync(descriptor), maxBytes);
    return descriptor;
  } catch (thrown) {
    closeSync(descriptor);
    throw thrown;
  }
}

function openSafely(path: string, flags: number, maxBytes: number): number {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    // Before opening: opening some devices has an effect.
    if (found !== undefined) assertFile(path, found, maxBytes);
    return openSync(path, flags | SAFELY, 0o600);
  } catch (thrown) {
    throw notPermitted(path, thrown);
  }
}

function openToRead(path: string): number | undefined {
  try {
    return openStateFile(path);
  } catch (thrown) {
    if (isNoneIn(dirname(path), thrown)) return undefined;
    throw thrown;
  }
}

function assertFile(path: string, stats: Stats, maxBytes: number): void {
  if (!stats.isFile()) throw stateDamaged(path, `is ${kindOf(stats)}, not a file`);
  if (stats.size > maxBytes)
    throw stateDamaged(path, `has ${stats.size} bytes, and at most ${maxBytes} can be read`);
}

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return "a folder";
  if (stats.isSymbolicLink()) return "a link";
  if (stats.isFIFO()) return "a pipe";
  return stats.isSocket() ? "a socket" : "a device";
}
