import type { SimpleCommand } from "@haft/core/policy";
import { type CommandLine, directoriesOf, foldersFor, type OperandHost } from "./command-directories.js";
import { commandFacts } from "./command-facts.js";
import { programOf } from "./operand-words.js";

/** Returns a command line and the package scripts that it runs, which may run others. */
export function withPackageScripts(line: CommandLine, host: OperandHost, depth = 0): readonly CommandLine[] {
  if (depth === MAX_SCRIPTS) return [line];
  const managers = commandFacts(line.command).commands.filter(({ argv }) => MANAGERS.has(programOf(argv)));
  if (managers.length === 0) return [line];
  const directories = directoriesOf(line, host);
  const scripts = managers.flatMap((simple) =>
    scriptsOf(simple, foldersFor(simple, directories, host), host),
  );
  return [line, ...scripts.flatMap((script) => withPackageScripts(script, host, depth + 1))];
}

/** A script may run another one. */
const MAX_SCRIPTS = 3;

/** Returns the package scripts that a package manager would run, each as a command in its folder. */
function scriptsOf(
  simple: SimpleCommand,
  folders: readonly string[],
  host: OperandHost,
): readonly CommandLine[] {
  const words = new Set(simple.argv.map((word) => SHORT_NAMES.get(word ?? "") ?? word));
  const isNamed = (name: string) => words.has(name) || words.has(name.replace(/^(?:pre|post)/, ""));
  return folders.flatMap((cwd) =>
    Object.entries(host.scripts(cwd)).flatMap(([name, command]) =>
      isNamed(name) && command !== "" ? [{ command, cwd }] : [],
    ),
  );
}

const MANAGERS: ReadonlySet<string> = new Set(["npm", "pnpm", "yarn", "bun"]);
const SHORT_NAMES: ReadonlyMap<string, string> = new Map([
  ["t", "test"],
  ["tst", "test"],
]);
