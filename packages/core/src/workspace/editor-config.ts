import { compilePathPattern, splitLines } from "@haft/text";
import { ToolError } from "../error/tool-error.js";
import { joinPath, parentPath } from "./path-text.js";
import type { WorkspaceReader } from "./workspace.js";

type EditorConfigProperty = "charset" | "end_of_line";

/** Returns the lower-case value of one property from the `.editorconfig` files above a file. The nearest file wins. */
export async function editorConfigValue(
  path: string,
  property: EditorConfigProperty,
  workspace: Pick<WorkspaceReader, "readText">,
): Promise<string | undefined> {
  for (let directory = parentPath(path); ; directory = parentPath(directory)) {
    const config = await readConfig(joinPath(directory, ".editorconfig"), workspace);
    const inside = directory === "" ? path : path.slice(directory.length + 1);
    const found = config === undefined ? undefined : valueIn(config, inside, property);
    if (found?.value !== undefined) return found.value;
    if (directory === "" || found?.isRoot === true) return undefined;
  }
}

async function readConfig(
  path: string,
  workspace: Pick<WorkspaceReader, "readText">,
): Promise<string | undefined> {
  try {
    return await workspace.readText(path);
  } catch (error) {
    // An unreadable `.editorconfig` must not block a read or a write.
    if (ToolError.is(error)) return undefined;
    throw error;
  }
}

/**
 * Later sections override earlier ones, as the format specifies. So the search starts at the last section that sets the
 * property and skips those that do not.
 */
function valueIn(
  config: string,
  path: string,
  property: EditorConfigProperty,
): { value: string | undefined; isRoot: boolean } {
  const { isRoot, settings } = settingsOf(config.slice(0, MAX_CHARS), property);
  const found = settings
    .slice(-MAX_SETTINGS)
    .reverse()
    .find(({ pattern }) => matches(pattern, path))?.value;
  return { value: found === "unset" || found === "" ? undefined : found, isRoot };
}

// A hand-written `.editorconfig` has a few dozen sections; larger files could tie up the process.
const MAX_CHARS = 256 * 1024;
const MAX_SETTINGS = 200;

interface Setting {
  readonly pattern: string;
  readonly value: string;
}

function settingsOf(
  config: string,
  property: EditorConfigProperty,
): { isRoot: boolean; settings: Setting[] } {
  const settings: Setting[] = [];
  let isRoot = false;
  let pattern: string | undefined;
  for (const line of splitLines(config)) {
    const section = /^\s*\[(.+)\]\s*$/.exec(line);
    if (section !== null) pattern = section[1];
    const [, key = "", given = ""] = /^\s*([\w-]+)\s*[=:]\s*(\S*)/.exec(line) ?? [];
    const [name, value] = [key.toLowerCase(), given.toLowerCase()];
    if (pattern === undefined && name === "root") isRoot = value === "true";
    else if (pattern !== undefined && name === property) settings.push({ pattern, value });
  }
  return { isRoot, settings };
}

function matches(pattern: string, path: string): boolean {
  try {
    return compilePathPattern(pattern)(path);
  } catch {
    // An invalid pattern matches nothing.
    return false;
  }
}
