import { type Stats, statSync } from "node:fs";
import { resolve } from "node:path";
import type { CliIo } from "../cli-io.js";
import { UsageError } from "../usage-error.js";

/** Returns the absolute path of the chosen workspace, for commands that open no runtime. Throws the runtime's codes. */
export function workspaceFolder(workspace: string | undefined, { cwd }: Pick<CliIo, "cwd">): string {
  const folder = resolve(cwd, workspace ?? ".");
  const found = entryAt(folder);
  if (found === undefined)
    throw new UsageError(
      "PATH_NOT_FOUND",
      `The workspace folder ${folder} does not exist`,
      "Create it, or choose another workspace.",
    );
  if (!found.isDirectory())
    throw new UsageError(
      "NOT_A_DIRECTORY",
      `The workspace ${folder} is not a folder`,
      "Choose the folder that contains it.",
    );
  return folder;
}

function entryAt(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (cause) {
    // A name on the way is a file.
    if ((cause as NodeJS.ErrnoException).code === "ENOTDIR") return undefined;
    throw cause;
  }
}
