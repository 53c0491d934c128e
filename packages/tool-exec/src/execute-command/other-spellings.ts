import type { SimpleCommand } from "@haft/core/policy";
import { optionSpellings } from "../command-policy/option-spellings.js";
import { subcommandSpellings } from "../command-policy/subcommand-spellings.js";
import { nameOf } from "./texts-for-shells.js";

type Argv = SimpleCommand["argv"];

/**
 * Returns the same command in other words: `npm i` is `npm install`, `python -m pip` is `pip`. A rule that restricts one of them restricts all; a
 * rule that allows one covers only its exact words.
 */
export function otherSpellings(argv: Argv): readonly Argv[] {
  const [program, ...words] = argv;
  if (typeof program !== "string") return [];
  const name = Object.hasOwn(OTHER_NAMES, nameOf(argv)) ? (OTHER_NAMES[nameOf(argv)] ?? "") : nameOf(argv);
  if (PYTHON.test(name)) return moduleOf(words);
  if (PIP.test(name)) return ["pip", "pip3"].map((twin) => [twin, ...words]);
  if (name === "yarn" && words.every((word) => word?.startsWith("-"))) return [["yarn", "install", ...words]];
  const places = subcommandPlaces(words);
  if (places === undefined) return [[null]];
  const spelled = places.flatMap((at) =>
    subcommandSpellings(name, words[at] ?? "", words[at + 1] ?? "").map((spelling) => [
      name,
      ...words.slice(0, at),
      ...spelling,
      ...words.slice(at + 1),
    ]),
  );
  if (name !== nameOf(argv)) spelled.push([name, ...words]);
  const [first] = places;
  if (name === "yarn" && first !== undefined && words[first] === "workspace")
    spelled.push(["yarn", ...words.slice(0, first), ...words.slice(first + 2)]);
  return withOptions(name, words, spelled);
}

/** Adds the other names of the options to the command and to each of its spellings. */
function withOptions(name: string, words: Argv, spelled: readonly Argv[]): readonly Argv[] {
  const added = optionSpellings(name, words);
  if (added.length === 0) return spelled;
  return [[name, ...words], ...spelled].map((argv) => [...argv, ...added]);
}

/** Programs that are installed under another name too. */
const OTHER_NAMES: Readonly<Record<string, string>> = { yarnpkg: "yarn", pn: "pnpm" };

const PYTHON = /^(?:python|pypy|py)[\d.]*$/;
const PIP = /^pip[\d.]*$/;

/** `python -m twine upload`: the module is the program. */
function moduleOf(words: Argv): readonly Argv[] {
  const at = words.findIndex((word) => MODULE.test(word ?? ""));
  if (at === -1) return [];
  const attached = MODULE.exec(words[at] ?? "")?.[1] ?? "";
  const rest = words.slice(at + 1);
  const started = attached === "" ? rest : [attached, ...rest];
  return [started, ...otherSpellings(started)];
}

const MODULE = /^-[A-Za-ln-z]*m(.*)$/s;

/**
 * Returns where the subcommand may be: the first word that is not an option, or a word after an option, which may be that option's value. Undefined
 * if there are too many such positions.
 */
function subcommandPlaces(words: Argv): readonly number[] | undefined {
  const places: number[] = [];
  for (const [index, word] of words.entries()) {
    if (word === null || word.startsWith("-")) continue;
    if (places.length === MAX_PLACES) return undefined;
    places.push(index);
    if (words[index - 1]?.startsWith("-") !== true) break;
  }
  return places;
}

const MAX_PLACES = 16;
