import { renderInline } from "@haft/text";
import { ToolError, type ToolErrorOptions } from "../error/tool-error.js";

/** Formats a path for a message: one line, invisible characters made visible, "." for the workspace itself. */
export function showPath(path: string): string {
  return path === "" ? "." : renderInline(path, { maxChars: MAX_SHOWN_CHARS });
}

const MAX_SHOWN_CHARS = 200;

/** Creates the error for every refused path. Names only the path that was given. */
export function invalidPath(given: string, reason: string, options: ToolErrorOptions = {}): ToolError {
  return new ToolError("INVALID_PATH", `Access denied: ${showPath(given)} ${reason}`, options);
}

/** Creates the error for a path that ends in a circle of links. */
export function tooManyLinks(given: string): ToolError {
  return invalidPath(given, "goes through too many links", { details: { tooMany: TOO_MANY_LINKS } });
}

const TOO_MANY_LINKS = "links";

/** Returns whether a path ended in a circle of links. It leads nowhere, so it does not lead out. */
export function isLinkLoop(thrown: unknown): boolean {
  return ToolError.is(thrown) && thrown.details?.tooMany === TOO_MANY_LINKS;
}

/** Creates the error for a missing file. `near` lists similar paths, best first. */
export function fileNotFound(given: string, near: readonly string[] = []): ToolError {
  const [best] = near;
  return new ToolError("FILE_NOT_FOUND", `File not found: ${showPath(given)}`, {
    ...didYouMean(near),
    next: best === undefined ? undefined : { tool: "read_file", args: { path: best } },
  });
}

/** Creates the error for a missing directory. `near` lists similar paths, best first. */
export function directoryNotFound(given: string, near: readonly string[] = []): ToolError {
  return new ToolError("PATH_NOT_FOUND", `Directory not found: ${showPath(given)}`, didYouMean(near));
}

export function notADirectory(given: string): ToolError {
  return new ToolError("NOT_A_DIRECTORY", `${showPath(given)} is not a directory`);
}

export function cannotReadDirectory(given: string): ToolError {
  return new ToolError("IS_DIRECTORY", `Cannot read directory: ${showPath(given)}. Use list_directory`, {
    next: { tool: "list_directory", args: { path: given } },
  });
}

/** Creates the error that names the kind of file instead of showing its bytes as text. */
export function binaryFile(given: string, bytes: Uint8Array): ToolError {
  const head = Array.from(bytes.subarray(0, HEAD_BYTES), (byte) => byte.toString(16).padStart(2, "0"));
  return new ToolError("BINARY_FILE", `Cannot read as text: ${showPath(given)} is binary`, {
    hint: `It has ${bytes.length} bytes. Read it as base64 if you need its content.`,
    details: { path: given, size: bytes.length, head: head.join("") },
  });
}

const HEAD_BYTES = 16;

/** Creates the error for a file that does not fit in memory. */
export function fileTooLarge(given: string, { size, most }: { size: number; most: number }): ToolError {
  return new ToolError(
    "FILE_TOO_LARGE",
    `${showPath(given)} has ${size} bytes; at most ${most} are read at once`,
    {
      hint: "Read a part of it.",
      details: { path: given, size },
    },
  );
}

/** Creates the error for a walk over too many entries. */
export function tooManyEntries(most: number): ToolError {
  return new ToolError("LIMIT_EXCEEDED", `There are more than ${most} entries below this directory`, {
    hint: "Start in a subfolder, or limit the depth.",
  });
}

function didYouMean(near: readonly string[]): ToolErrorOptions {
  if (near.length === 0) return {};
  return { hint: `Did you mean ${near.map(showPath).join(", ")}?`, details: { nearest: near } };
}
