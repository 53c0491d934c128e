import { lstatSync } from "node:fs";
import { baseName } from "@haft/core/workspace";
import {
  cutIgnoreText,
  IgnoreScope,
  type IgnoreTexts,
  linkedGitFolder,
  MAX_IGNORE_FILE_BYTES,
  placeBehind,
} from "@haft/text/path-rules";
import type { HeldDirectory } from "./held-directory.js";
import { OpenFile } from "./open-file.js";
import { errnoOf } from "./system-error.js";

/** The rules of the ignore files from the root down to one directory, in the precedence that search uses. */
export class IgnoreRules {
  readonly #scope: IgnoreScope;

  constructor(scope: IgnoreScope = IgnoreScope.empty) {
    this.#scope = scope;
  }

  /** Returns the rules for the entries of a directory, given those for the directory itself. */
  async enter(path: string, directory: HeldDirectory): Promise<IgnoreRules> {
    const texts: IgnoreTexts = {
      ignore: await readRules(directory.at(".ignore")),
      gitignore: await readRules(directory.at(".gitignore")),
      exclude: await readExclude(directory),
      isRepository: directory.lstat(".git") !== undefined,
    };
    if (!Object.values(texts).some(Boolean)) return this;
    return new IgnoreRules(this.#scope.enter(path === "" ? "" : `${path}/`, texts));
  }

  /** The number of lines in this directory's ignore files that exceed the limits. */
  get unobeyed(): number {
    return this.#scope.passedOver;
  }

  ignores(path: string, isDirectory: boolean): boolean {
    return this.#scope.match(path, baseName(path), isDirectory) === "ignore";
  }
}

async function readExclude(root: HeldDirectory): Promise<string | undefined> {
  if (root.lstat(".git")?.isFile() === true) return readLinked(root);
  const git = tryOpenDirectory(root, ".git");
  const info = git === undefined ? undefined : tryOpenDirectory(git, "info");
  try {
    return info === undefined ? undefined : await readRules(info.at("exclude"));
  } finally {
    info?.close();
    git?.close();
  }
}

/** In a linked worktree, `.git` names a folder elsewhere, which names the folder shared by all worktrees. */
async function readLinked(root: HeldDirectory): Promise<string | undefined> {
  const linked = linkedGitFolder(await readRules(root.at(".git")));
  if (linked === undefined) return undefined;
  const own = placeBehind(root.self, linked);
  const common = (await readRules(`${own}/commondir`))?.trim();
  return readRules(`${common ? placeBehind(own, common) : own}/info/exclude`);
}

function tryOpenDirectory(directory: HeldDirectory, name: string): HeldDirectory | undefined {
  if (directory.lstat(name)?.isDirectory() !== true) return undefined;
  return directory.openDirectory(name);
}

/** A link, a pipe or an unreadable file has no rules. */
async function readRules(path: string): Promise<string | undefined> {
  try {
    // Checked before opening: opening a device may already have an effect.
    if (lstatSync(path, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
    const file = new OpenFile(baseName(path), path);
    try {
      if (!file.stats.isFile()) return undefined;
      const text = Buffer.from(await file.read({ end: MAX_IGNORE_FILE_BYTES })).toString("utf8");
      return Number(file.stats.size) > MAX_IGNORE_FILE_BYTES ? cutIgnoreText(text) : text;
    } finally {
      file.close();
    }
  } catch (thrown) {
    if (errnoOf(thrown) === undefined) throw thrown;
    return undefined;
  }
}
