import type { SimpleCommand } from "@haft/core/policy";

/**
 * Returns the words of a command that may name a file: operands, values of options, and values attached to an option.
 */
export function namesIn({ argv }: SimpleCommand): readonly string[] {
  const words = argv.filter((word) => word !== null && word !== "") as readonly string[];
  return words.flatMap((word) => {
    const value = word.slice(word.indexOf("=") + 1);
    if (word.startsWith("--")) return [value];
    return word.startsWith("-") ? [value, word.slice(2)] : [word, value];
  });
}

/** Returns the folders that options such as `-C DIR`, `-CDIR` and `--prefix=DIR` select; several `-C` combine. */
export function foldersIn({ argv }: SimpleCommand): readonly string[] {
  const folders: string[] = [];
  for (const [index, word] of argv.entries()) {
    const [, name = "", attached] = FOLDER_OPTION.exec(word ?? "") ?? [];
    const value = attached || (name === "" ? undefined : argv[index + 1]);
    if (value === undefined || value === null) continue;
    const last = folders.at(-1);
    folders.push(value, ...(last === undefined || value.startsWith("/") ? [] : [`${last}/${value}`]));
  }
  return folders;
}

const FOLDER_OPTION = /^(-C|--(?:prefix|directory|cwd|dir|chdir|workspace|project|package-path)|-w)=?(.*)$/s;

/** Returns the words of shell text with braces expanded: redirections, and anything the parser could not read. */
export function looseWords(text: string): readonly string[] {
  const whole = text.split(/[\s;|&<>()"'`$=]+/).flatMap((word) => expandBraces(word));
  const quoted = [...text.matchAll(/'([^']*)'|"([^"]*)"/g)].map(
    ([, single, double]) => single ?? double ?? "",
  );
  return [...whole, ...quoted, ...text.split(/[\s;|&<>()"'`$={},:]+/)].filter((word) => word !== "");
}

function expandBraces(word: string, depth = 0): readonly string[] {
  const [, before = "", inner, after = ""] = /^(.*?)\{([^{}]*,[^{}]*)\}(.*)$/s.exec(word) ?? [];
  if (inner === undefined || depth >= MAX_BRACES) return [word];
  return inner.split(",").flatMap((part) => expandBraces(`${before}${part}${after}`, depth + 1));
}

const MAX_BRACES = 6;

/** Returns what follows a variable or a substitution in shell text: `$DIR/gen.py` may be gen.py in any folder. */
export function partialPaths(text: string): readonly string[] {
  return [...text.matchAll(AFTER_VARIABLE)].map(([, rest = ""]) => rest);
}

const AFTER_VARIABLE = /(?:\$\w+|[})`]|~[+-])["']*\/([^\s;|&<>()"'`$=]+)/g;

/**
 * Returns the words of shell text that contain variables or substitutions: with values that the text assigns, and as
 * patterns where it does not. `N=gen; sh $N.sh` runs gen.sh; `sh $1.sh` may run any script of the folder.
 */
export function variableWords(text: string): readonly string[] {
  if (!/[$`]/.test(text)) return [];
  const plain = text.replaceAll(/["']/g, "");
  const values = assignedIn(plain);
  return plain
    .replaceAll(SUBSTITUTION, "*")
    .split(/[\s;|&<>()=]+/)
    .filter((word) => /[*$]/.test(word))
    .slice(0, MAX_VARIABLE_WORDS)
    .map((word) => word.replaceAll(VARIABLE, (all) => values.get(all.replaceAll(/\W/g, "")) ?? "*"))
    .map((word) => word.replaceAll(/\*+/g, "*"))
    .filter((word) => !/^\*(?:\/|$)/.test(word));
}

/** A variable with two values may have either. */
function assignedIn(text: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const [, name = "", value = ""] of text.matchAll(/\b(\w+)=([\w@%+:,./-]*)/g))
    values.set(name, values.has(name) && values.get(name) !== value ? "*" : value);
  return values;
}

const SUBSTITUTION = /\$\([^()]*\)|`[^`]*`/g;
const VARIABLE = /\$(?:\w+|\{[^{}]*\}|[@*#?!-])/g;
const MAX_VARIABLE_WORDS = 50;

/**
 * Returns the files that an interpreter opens for a name that is not a file: `python -m pkg.mod`, `node tools/gen`.
 */
export function modulesIn({ argv }: SimpleCommand): readonly string[] {
  const program = programOf(argv);
  const names = namesIn({ argv: argv.slice(1) }).flatMap((name) => (isCode(name) ? importsIn(name) : [name]));
  if (/^python[\d.]*$/.test(program))
    return names.flatMap((name) => {
      const module = name.replaceAll(".", "/");
      const around = foldersAround(module).map((folder) => `${folder}/__init__.py`);
      return [`${module}.py`, `${module}/__main__.py`, ...around, `${name}/__main__.py`];
    });
  if (!NODE_PROGRAMS.has(program)) return [];
  return names.flatMap((name) => NODE_ENDINGS.map((ending) => `${name}${ending}`));
}

/** A program given as an argument: `python -c 'import gen'`. */
function isCode(argument: string): boolean {
  return /[\s(]/.test(argument);
}

function importsIn(code: string): readonly string[] {
  return [...new Set(looseWords(code))].slice(0, MAX_IMPORTS);
}

const MAX_IMPORTS = 200;

/** Python runs the packages around a module before the module itself. */
function foldersAround(module: string): readonly string[] {
  const parts = module.split("/").slice(0, MAX_DEPTH);
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}

const MAX_DEPTH = 20;
const NODE_PROGRAMS: ReadonlySet<string> = new Set(["node", "tsx", "ts-node", "bun", "deno"]);
const NODE_ENDINGS = [".js", ".mjs", ".cjs", ".ts", "/index.js", "/index.mjs", "/package.json"];

export function programOf(argv: SimpleCommand["argv"]): string {
  const [program] = argv;
  return program?.slice(program.lastIndexOf("/") + 1) ?? "";
}
