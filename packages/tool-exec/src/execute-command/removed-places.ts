import { type CommandLine, directoriesOf, type OperandHost } from "./command-directories.js";
import { matchesOf } from "./command-operands.js";
import type { ExecuteCommandArgs } from "./execute-command-schema.js";
import { looseWords } from "./operand-words.js";
import { withPackageScripts } from "./package-scripts.js";

/**
 * Returns the paths that a command may remove or rename, according to its text and that of the package scripts it runs.
 * One too many is in the command's view instead of shared. If the run exceeds what it may record, such a folder is
 * replaced as a whole.
 */
export async function removedPlaces(line: CommandLine, host: OperandHost): Promise<readonly string[]> {
  const places = withPackageScripts(line, host).flatMap((each) => {
    const text = textOf(each.command);
    if (!REMOVES.test(text)) return [];
    const directories = directoriesOf(each, host);
    const words = [...new Set(looseWords(text))].slice(0, MAX_WORDS);
    return words.flatMap((word) => directories.flatMap((from) => host.placeOf(word, from) ?? []));
  });
  const matched = await Promise.all([...new Set(places)].map((place) => matchesOf(place, host)));
  return [...new Set(matched.flat())].filter((place) => place !== "");
}

function textOf(command: ExecuteCommandArgs["command"]): string {
  return typeof command === "string" ? command : command.join(" ");
}

/** Programs and functions that remove or rename folders, such as rm, rmSync, rmtree, rimraf, mv and os.rename. */
const REMOVES = /\b(?:rm|rmdir|rmtree|rimraf|del|mv|move|remove|rename|trash)(?:Sync|dirs?|s|-cli)?\b/i;
const MAX_WORDS = 2_000;
