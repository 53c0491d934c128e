import { ToolError, type ToolErrorOptions } from "@haft/core";
import { renderInline } from "@haft/text";

/** Every refusal of a path reads the same way, and names nothing but the path that was given. */
export function invalidPath(given: string, reason: string, options: ToolErrorOptions = {}): ToolError {
  return new ToolError("INVALID_PATH", `Access denied: ${showPath(given)} ${reason}`, options);
}

/** A path as it may stand in a message: one line, nothing hidden, "." for the workspace itself. */
export function showPath(path: string): string {
  return path === "" ? "." : renderInline(path, { maxChars: MAX_SHOWN_CHARS });
}

const MAX_SHOWN_CHARS = 200;
