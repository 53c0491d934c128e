import { isInside, parentPath } from "@haft/core";
import ignore, { type Ignore } from "ignore";
import type { HeldDirectory } from "./held-directory.js";
import { OpenFile } from "./open-file.js";
import { errnoOf } from "./system-error.js";

/**
 * What the ignore files from the root down to one directory say. As in git, a deeper file beats a
 * higher one; as in ripgrep, `.ignore` beats `.gitignore`, which beats `.git/info/exclude`.
 */
export class IgnoreRules {
  readonly #levels: readonly Level[];

  constructor(levels: readonly Level[] = []) {
    this.#levels = levels;
  }

  /** The rules for the entries of a directory, given those for the directory itself. */
  async enter(path: string, directory: HeldDirectory): Promise<IgnoreRules> {
    const added: Level[] = [];
    for (const [rank, name] of IGNORE_FILES.entries()) {
      const text = await readRules(directory, name);
      if (text !== undefined) added.push({ rank, base: path, rules: ignore().add(text) });
    }
    const exclude = path === "" ? await readExclude(directory) : undefined;
    if (exclude !== undefined)
      added.push({ rank: IGNORE_FILES.length, base: path, rules: ignore().add(exclude) });
    if (added.length === 0) return this;
    // The strongest opinion comes first: by kind of file, then the deepest.
    return new IgnoreRules([...added, ...this.#levels].sort((a, b) => a.rank - b.rank));
  }

  ignores(path: string, isDirectory: boolean): boolean {
    for (const { base, rules } of this.#levels) {
      if (path === base || !isInside(path, base)) continue;
      const below = base === "" ? path : path.slice(base.length + 1);
      const { ignored, unignored } = rules.test(isDirectory ? `${below}/` : below);
      if (ignored || unignored) return ignored;
    }
    return false;
  }

  /** True when the path or a directory above it is ignored. */
  coversAny(path: string): boolean {
    for (let above = path; above !== ""; above = parentPath(above))
      if (this.ignores(above, true)) return true;
    return false;
  }
}

interface Level {
  readonly rank: number;
  readonly base: string;
  readonly rules: Ignore;
}

const IGNORE_FILES = [".ignore", ".gitignore"] as const;
const MAX_RULES_BYTES = 1024 * 1024;

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
      return Buffer.from(await file.read({ end: MAX_RULES_BYTES })).toString("utf8");
    } finally {
      file.close();
    }
  } catch (thrown) {
    if (errnoOf(thrown) === undefined) throw thrown;
    return undefined;
  }
}
