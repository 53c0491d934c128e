import { baseName } from "@haft/core";
import { IgnoreScope, type IgnoreTexts, MAX_IGNORE_FILE_BYTES } from "@haft/text/path-rules";
import type { HeldDirectory } from "./held-directory.js";
import { OpenFile } from "./open-file.js";
import { errnoOf } from "./system-error.js";

/** What the ignore files from the root down to one directory say, in the order of rank that searching has. */
export class IgnoreRules {
  readonly #scope: IgnoreScope;

  constructor(scope: IgnoreScope = IgnoreScope.empty) {
    this.#scope = scope;
  }

  /** The rules for the entries of a directory, given those for the directory itself. */
  async enter(path: string, directory: HeldDirectory): Promise<IgnoreRules> {
    const texts: IgnoreTexts = {
      ignore: await readRules(directory, ".ignore"),
      gitignore: await readRules(directory, ".gitignore"),
      exclude: await readExclude(directory),
      isRepository: directory.lstat(".git") !== undefined,
    };
    if (!Object.values(texts).some(Boolean)) return this;
    return new IgnoreRules(this.#scope.enter(path === "" ? "" : `${path}/`, texts));
  }

  ignores(path: string, isDirectory: boolean): boolean {
    return this.#scope.match(path, baseName(path), isDirectory) === "ignore";
  }
}

async function readExclude(root: HeldDirectory): Promise<string | undefined> {
  const git = tryOpenDirectory(root, ".git");
  const info = git === undefined ? undefined : tryOpenDirectory(git, "info");
  try {
    return info === undefined ? undefined : await readRules(info, "exclude");
  } finally {
    info?.close();
    git?.close();
  }
}

function tryOpenDirectory(directory: HeldDirectory, name: string): HeldDirectory | undefined {
  if (directory.lstat(name)?.isDirectory() !== true) return undefined;
  return directory.openDirectory(name);
}

/** A link, a pipe or an unreadable file simply holds no rules. */
async function readRules(directory: HeldDirectory, name: string): Promise<string | undefined> {
  try {
    if (directory.lstat(name)?.isFile() !== true) return undefined;
    const file = new OpenFile(name, directory.at(name));
    try {
      if (!file.stats.isFile()) return undefined;
      return Buffer.from(await file.read({ end: MAX_IGNORE_FILE_BYTES })).toString("utf8");
    } finally {
      file.close();
    }
  } catch (thrown) {
    if (errnoOf(thrown) === undefined) throw thrown;
    return undefined;
  }
}
