import { type Stats, statSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, extname, join, resolve } from "node:path";
import { ConfigError } from "./config-error.js";

/**
 * Finds the files that a module names in its text: imports by path or from an installed package, and JSON files such
 * as a role. Every quoted string counts, so comments can add files but cannot hide any.
 */
export function namedFiles(
  text: string,
  file: string,
  { packages = true, programs = false }: NamedFilesOptions = {},
): readonly string[] {
  const strings = [...new Set(quotedStrings(text))];
  const launched = programs ? strings.filter(mayBeProgram) : [];
  const named = [...strings.filter(looksLikePath), ...(packages ? installedPackages(strings, file) : [])];
  const { size } = new Set([...named, ...launched]);
  if (size > MAX_NAMES) {
    throw new ConfigError("CONFIG_TOO_LARGE", `${file} names ${size} paths; the limit is ${MAX_NAMES}`);
  }
  const paths = [
    ...named.flatMap((name) => candidates(resolve(dirname(file), name))),
    ...launched.map((name) => resolve(dirname(file), name)),
  ];
  return [...new Set(paths)].filter(isFile);
}

export interface NamedFilesOptions {
  /** Whether to include files that only a server can run: scripts in other languages, and paths written as such. */
  readonly programs?: boolean;
  /** Whether to include installed packages. Default: true. */
  readonly packages?: boolean;
}

/** Returns the `node_modules` folders where a loader would look for the packages that a module imports. */
function installedPackages(strings: readonly string[], file: string): readonly string[] {
  const roots = foldersAbove(file)
    .map((folder) => join(folder, "node_modules"))
    .filter(isFolder);
  const names = strings.filter((name) => PACKAGE.test(name) && !isBuiltin(name) && name !== OWN_PACKAGE);
  return roots.flatMap((root) =>
    names.flatMap((name) => {
      const folder = join(root, /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name);
      return isFolder(folder) ? [...new Set([folder, join(root, name)])] : [];
    }),
  );
}

function foldersAbove(file: string): readonly string[] {
  const folder = dirname(file);
  return folder === file ? [] : [folder, ...foldersAbove(folder)];
}

const PACKAGE = /^(?:@[\w.-]+\/)?\w[\w.-]*(?:\/[\w./-]+)?$/;

/** The running process provides this package to a configuration. */
const OWN_PACKAGE = "@haft/runtime-node";

// Each name costs a few dozen file system lookups, before anyone has trusted the file.
const MAX_NAMES = 200;

/** Lists the paths that a module loader may try for a name. A new candidate changes the digest. */
function candidates(path: string): readonly string[] {
  const withoutExtension = path.slice(0, path.length - extname(path).length);
  const bases = [path, join(path, "index"), ...(extname(path) === "" ? [] : [withoutExtension])];
  return [
    path,
    join(path, "package.json"),
    ...bases.flatMap((base) => EXTENSIONS.map((extension) => `${base}${extension}`)),
  ].filter((candidate) => EXTENSIONS.includes(extname(candidate)));
}

export const EXTENSIONS = [
  ".ts",
  ".mts",
  ".cts",
  ".tsx",
  ".js",
  ".mjs",
  ".cjs",
  ".jsx",
  ".json",
  ".node",
  ".wasm",
];

/** Returns the text between each quote and the next of its kind, so that an apostrophe cannot shift the pairs. */
function quotedStrings(text: string): readonly string[] {
  return QUOTES.flatMap((quote) =>
    text.split(quote).filter((part) => part !== "" && part.length <= MAX_NAME_CHARS && !part.includes("\n")),
  );
}

function mayBeProgram(name: string): boolean {
  return /^\.{0,2}\//.test(name) || SCRIPTS.includes(extname(name));
}

const SCRIPTS = [
  ".py",
  ".pyz",
  ".sh",
  ".bash",
  ".zsh",
  ".fish",
  ".rb",
  ".pl",
  ".php",
  ".lua",
  ".jar",
  ".exe",
];

const QUOTES = ['"', "'", "`"];
const MAX_NAME_CHARS = 1_024;

function looksLikePath(name: string): boolean {
  return /^\.{0,2}\//.test(name) || /^\.{1,2}$/.test(name) || EXTENSIONS.includes(extname(name));
}

/** Returns false for a path that cannot be a file, such as one with NUL or one below another file. */
function isFile(path: string): boolean {
  return statOf(path)?.isFile() === true;
}

function isFolder(path: string): boolean {
  return statOf(path)?.isDirectory() === true;
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}
