import type { SimpleCommand } from "@haft/core/policy";
import type { GlobPiece } from "../command-policy/command-plan.js";
import { expandWord } from "../command-policy/expand-word.js";
import {
  type CommandLine,
  directoriesOf,
  foldersFor,
  MAX_FOLDERS,
  type OperandHost,
} from "./command-directories.js";
import { commandFacts } from "./command-facts.js";
import { looseWords, modulesIn, namesIn, partialPaths, programOf, variableWords } from "./operand-words.js";
import { withPackageScripts } from "./package-scripts.js";

/**
 * Lists the workspace files that determine a command's effect: files that its words name or its patterns match, files
 * that its programs read themselves, such as package.json, and those named by the package scripts it runs. Missing
 * files are left out: the list is computed again before the command runs, and then includes files that have appeared.
 */
export async function commandOperands(line: CommandLine, host: OperandHost): Promise<readonly string[]> {
  const places = new Set(withPackageScripts(line, host).flatMap((each) => [...placesIn(each, host)]));
  const exists = existsIn(host);
  const expanded = await Promise.all([...places].map((place) => matchesOf(place, host)));
  return [...new Set(expanded.flat())].filter(exists);
}

/** Looks names up in listings, because a long command line has thousands of words that name nothing. */
function existsIn(host: OperandHost): (place: string) => boolean {
  const listings = new Map<string, ReadonlySet<string>>();
  return (place) => {
    const folder = place.slice(0, Math.max(0, place.lastIndexOf("/")));
    const names = listings.get(folder) ?? new Set(host.list(folder).map(({ name }) => name));
    listings.set(folder, names);
    return names.has(place.slice(place.lastIndexOf("/") + 1));
  };
}

function placesIn(line: CommandLine, host: OperandHost): ReadonlySet<string> {
  const { command, cwd } = line;
  const places = new Set<string>();
  const loose = typeof command === "string" ? looseWords(command) : [];
  const directories = directoriesOf(line, host);
  const add = (name: string, from: readonly string[]) => {
    for (const directory of from) {
      const place = name.length > MAX_PATH || name.includes("\0") ? undefined : host.placeOf(name, directory);
      if (place !== undefined && place !== "") places.add(place);
    }
  };
  for (const simple of commandFacts(command).commands) {
    const from = foldersFor(simple, directories, host);
    for (const name of [...namesIn(simple), ...modulesIn(simple), ...rulesOf(simple)]) add(name, from);
  }
  if (typeof command !== "string") return places;
  for (const word of [...loose, ...variableWords(command)]) add(word, directories);
  const partial = partialPaths(command);
  const folders = partial.length === 0 ? [] : loose.slice(0, MAX_FOLDERS);
  const from = [...directories, ...folders.flatMap((name) => host.placeOf(name, cwd) ?? [])];
  for (const rest of partial.slice(0, MAX_FOLDERS)) add(rest, from);
  return places;
}

const MAX_PATH = 1_024;

/**
 * Returns files that a program takes instructions from: in its directory, in folders it is given, and beside files it
 * is given.
 */
function rulesOf(simple: SimpleCommand): readonly string[] {
  const program = programOf(simple.argv);
  const rules = Object.hasOwn(READ_BY, program) ? (READ_BY[program] ?? []) : [];
  if (rules.length === 0) return [];
  const given = namesIn(simple).flatMap((name) => [name, name.slice(0, name.lastIndexOf("/") + 1)]);
  return ["", ...new Set(given)].flatMap((folder) =>
    rules.map((rule) => (folder === "" ? rule : `${folder}/${rule}`)),
  );
}

const PACKAGE = ["package.json"];
/** A Makefile includes others, by convention with this ending. */
const MAKE = ["GNUmakefile", "makefile", "Makefile", "*.mk", "*/*.mk"];
const PYTHON = [
  ...["pyproject.toml", "setup.cfg", "setup.py", "tox.ini"],
  ...["pytest.ini", "conftest.py", "noxfile.py"],
];
const RUST = ["Cargo.toml", "build.rs", ".cargo/config.toml"];

const READ_BY: Readonly<Record<string, readonly string[]>> = {
  ...{ npm: PACKAGE, pnpm: PACKAGE, yarn: PACKAGE, bun: PACKAGE, npx: PACKAGE, node: PACKAGE },
  ...{ make: MAKE, gmake: MAKE, just: ["justfile", "Justfile", ".justfile"], rake: ["Rakefile"] },
  ...{ pytest: PYTHON, tox: PYTHON, nox: PYTHON, poetry: PYTHON, uv: PYTHON, pip: PYTHON },
  ...{ cargo: RUST, go: ["go.mod"], gradle: ["build.gradle", "build.gradle.kts"], mvn: ["pom.xml"] },
};

/** Returns the files that a pattern matches now, or the word itself if it is not a pattern. */
export async function matchesOf(place: string, host: Pick<OperandHost, "list">): Promise<readonly string[]> {
  const pieces = globPieces(place);
  if (pieces.every(({ kind }) => kind === "text")) return [place];
  const list = async (folder: string) => host.list(folder);
  return expandWord({ kind: "glob", value: place, pieces }, list).catch(() => [place]);
}

function globPieces(text: string): readonly GlobPiece[] {
  return (text.match(/\*+|\?|\[[^\]]+\]|[^*?[]+|\[/g) ?? []).map((part): GlobPiece => {
    if (part.startsWith("*")) return { kind: "star" };
    if (part === "?") return { kind: "question" };
    return part.length > 2 && part.startsWith("[")
      ? { kind: "bracket", text: part }
      : { kind: "text", text: part };
  });
}
