import type { CommandHost } from "@haft/core/capabilities";
import type { SimpleCommand } from "@haft/core/policy";
import { parseCommand } from "../command-policy/parse-command.js";
import { walkDirectories } from "../command-policy/walk-directories.js";
import type { ExecuteCommandArgs } from "./execute-command-schema.js";
import { isFolder } from "./git-in-folder.js";
import { foldersIn, looseWords, partialPaths } from "./operand-words.js";

export type CommandLine = Pick<ExecuteCommandArgs, "command" | "cwd">;
export type OperandHost = Pick<CommandHost, "placeOf" | "list" | "scripts">;

/** Returns the folders that a command line may run programs in. */
export function directoriesOf({ command, cwd }: CommandLine, host: OperandHost): readonly string[] {
  const parsed = typeof command === "string" ? parseCommand(command) : undefined;
  const walked = parsed?.kind === "plan" ? walkDirectories(parsed.plan.steps, cwd) : undefined;
  return [...new Set([cwd, ...(walked ?? []).flat()]), ...enteredIn({ command, cwd }, host)];
}

/** Returns these folders, and those that options of one command select from there. */
export function foldersFor(
  simple: SimpleCommand,
  directories: readonly string[],
  host: OperandHost,
): readonly string[] {
  const folders = foldersIn(simple).flatMap((name) =>
    directories.flatMap((from) => host.placeOf(name, from) ?? []),
  );
  return [...directories, ...folders];
}

/** Returns the folders that shell text may make its directory in a way that the parser does not follow. */
function enteredIn({ command, cwd }: CommandLine, host: OperandHost): readonly string[] {
  if (typeof command !== "string" || !CHANGES_FOLDER.test(command)) return [];
  const below = partialPaths(command).flatMap((rest) => rest.split(":"));
  const names = [...looseWords(command).slice(0, MAX_FOLDERS), ...below.slice(0, MAX_FOLDERS)];
  const places = new Set(names.flatMap((name) => host.placeOf(name, cwd) ?? []));
  return [...places].filter((place) => isFolder(place, host));
}

/** How many words may be the folders of paths that begin with a variable. */
export const MAX_FOLDERS = 100;

/** `cd` and its relatives, options that name a folder, and the search path. */
const CHANGES_FOLDER =
  /\b(?:cd|pushd|chdir|PATH|PYTHONPATH|NODE_PATH)\b|\s-C|--(?:directory|prefix|cwd|dir|chdir)\b/;
