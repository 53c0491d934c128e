import { ToolError } from "@haft/core";

/** Checks a path as text and makes it relative: what a workspace on a disk does before it looks at the disk. */
export function vetPath(root: string, given: string): string {
  if (typeof given !== "string") throw new ToolError("INVALID_PATH", "A path must be a string");
  const shown = JSON.stringify(given.slice(0, 200));
  if (given.length > MAX_PATH) throw new ToolError("INVALID_PATH", `The path ${shown}… is too long`);
  if (CONTROL.test(given)) throw new ToolError("INVALID_PATH", `The path ${shown} holds a control character`);
  const parts = relativeText(root, given, shown)
    .split("/")
    .filter((part) => part !== "" && part !== ".");
  if (parts.includes(".."))
    throw new ToolError("INVALID_PATH", `Access denied: ${shown} holds "..", which is not allowed`);
  return parts.join("/");
}

const MAX_PATH = 4096;
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is its purpose.
const CONTROL = /[\u0000-\u001f\u007f]/;

function relativeText(root: string, given: string, shown: string): string {
  if (!given.startsWith("/")) return given;
  if (given === root) return "";
  if (given.startsWith(`${root}/`)) return given.slice(root.length + 1);
  throw new ToolError("INVALID_PATH", `Access denied: ${shown} is outside the workspace`);
}
