import { joinPath, parentPath, ToolError, type WorkspaceReader } from "@haft/core";
import { compilePathPattern, type LineEnding, splitLines } from "@haft/text";

/** The line ending that `.editorconfig` files ask for in a new file, nearest first. */
export async function configuredLineEnding(
  path: string,
  workspace: Pick<WorkspaceReader, "readText">,
): Promise<LineEnding | undefined> {
  for (let directory = parentPath(path); ; directory = parentPath(directory)) {
    const config = await readConfig(joinPath(directory, ".editorconfig"), workspace);
    const inside = directory === "" ? path : path.slice(directory.length + 1);
    const found = config === undefined ? undefined : endOfLine(config, inside);
    if (found?.ending !== undefined) return found.ending;
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
    // A convention that cannot be read is no reason not to write.
    if (ToolError.is(error)) return undefined;
    throw error;
  }
}

/** Later sections win over earlier ones, as the format says. */
function endOfLine(config: string, path: string): { ending: LineEnding | undefined; isRoot: boolean } {
  let isMatching = false;
  let isTop = true;
  let isRoot = false;
  let ending: LineEnding | undefined;
  for (const line of splitLines(config)) {
    const section = /^\s*\[(.+)\]\s*$/.exec(line);
    const [, key = "", value = ""] = /^\s*([\w-]+)\s*[=:]\s*(\S*)/.exec(line) ?? [];
    if (section !== null) {
      isTop = false;
      isMatching = matches(section[1] ?? "", path);
    } else if (isTop && key.toLowerCase() === "root") isRoot = value.toLowerCase() === "true";
    else if (isMatching && key.toLowerCase() === "end_of_line") ending = lineEnding(value);
  }
  return { ending, isRoot };
}

function matches(pattern: string, path: string): boolean {
  try {
    return compilePathPattern(pattern)(path);
  } catch {
    // A pattern that means nothing matches nothing.
    return false;
  }
}

function lineEnding(value: string): LineEnding | undefined {
  const name = value.toLowerCase();
  return name === "lf" || name === "crlf" ? name : undefined;
}
