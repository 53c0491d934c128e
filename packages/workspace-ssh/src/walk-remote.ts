import type { FileEntry } from "@haft/core";
import { joinPath, tooManyEntries, type WalkOptions } from "@haft/core/workspace";
import { cutIgnoreText, IgnoreScope, type IgnoreTexts, MAX_IGNORE_FILE_BYTES } from "@haft/text/path-rules";

/** A folder as one request returns it. */
export interface ListedFolder {
  readonly entries: readonly FileEntry[];
  readonly rules?: IgnoreTexts | undefined;
}

interface FolderLister {
  /** Lists several folders in one round trip; undefined for a folder that cannot be listed. */
  list(
    paths: readonly string[],
    wants: { readonly entries: boolean; readonly rules: boolean },
  ): Promise<readonly (ListedFolder | undefined)[]>;
  readonly maxEntries: number;
}

/**
 * Yields everything below a folder, parents before children. Lists folders level by level, many in one round trip, so a
 * walk takes as many round trips as the tree is deep.
 */
export async function* walkRemote(
  lister: FolderLister,
  start: string,
  options: WalkOptions,
): AsyncGenerator<FileEntry> {
  const walk = new RemoteWalk(lister, options);
  await walk.gather(start);
  yield* walk.inOrder(start);
}

class RemoteWalk {
  readonly #lister: FolderLister;
  readonly #options: WalkOptions;
  readonly #shown = new Map<string, readonly FileEntry[]>();
  #seen = 0;

  constructor(lister: FolderLister, options: WalkOptions) {
    this.#lister = lister;
    this.#options = options;
  }

  async gather(start: string): Promise<void> {
    const { maxDepth = DEFAULT_MAX_DEPTH, includeIgnored = false } = this.#options;
    let level: Level[] = [
      { path: start, scope: includeIgnored ? IgnoreScope.empty : await this.#above(start) },
    ];
    for (let depth = 1; depth <= maxDepth && level.length > 0; depth += 1) level = await this.#next(level);
  }

  *inOrder(folder: string): Generator<FileEntry> {
    for (const entry of this.#shown.get(folder) ?? []) {
      this.#options.signal?.throwIfAborted();
      yield entry;
      if (entry.type === "directory") yield* this.inOrder(entry.path);
    }
  }

  async #next(level: readonly Level[]): Promise<Level[]> {
    const below: Level[] = [];
    for (let at = 0; at < level.length; at += FOLDERS_AT_ONCE) {
      this.#options.signal?.throwIfAborted();
      const folders = level.slice(at, at + FOLDERS_AT_ONCE);
      const wants = { entries: true, rules: this.#options.includeIgnored !== true };
      const listed = await this.#lister.list(
        folders.map(({ path }) => path),
        wants,
      );
      for (const [index, folder] of folders.entries()) below.push(...this.#take(folder, listed[index]));
    }
    return below;
  }

  /** Keeps the entries to show, and returns the folders to enter. */
  #take(folder: Level, listed: ListedFolder | undefined): readonly Level[] {
    if (listed === undefined) return [];
    const scope = entered(folder, listed.rules);
    const shown = listed.entries.flatMap((entry) => this.#show(entry, scope) ?? []);
    this.#seen += shown.length;
    if (this.#seen > this.#lister.maxEntries) throw tooManyEntries(this.#lister.maxEntries);
    this.#shown.set(folder.path, shown);
    return shown
      .filter((entry) => entry.type === "directory" && entry.ignored !== true)
      .map(({ path }) => ({ path, scope }));
  }

  #show(entry: FileEntry, scope: IgnoreScope): FileEntry | undefined {
    if (entry.name.startsWith(".") && this.#options.includeHidden !== true) return undefined;
    const isDirectory = entry.type === "directory";
    const isIgnored =
      (entry.name === ".git" && isDirectory) || scope.match(entry.path, entry.name, isDirectory) === "ignore";
    if (!isIgnored) return entry;
    return isDirectory ? { ...entry, ignored: true } : undefined;
  }

  /** Returns the rules of the folders above the start; none if they ignore the start, because the caller named it. */
  async #above(start: string): Promise<IgnoreScope> {
    const parts = start === "" ? [] : start.split("/");
    if (parts.length === 0) return IgnoreScope.empty;
    const folders = parts.map((_, depth) => parts.slice(0, depth).join("/"));
    const listed = await this.#lister.list(folders, { entries: false, rules: true });
    let scope = IgnoreScope.empty;
    for (const [depth, name] of parts.entries()) {
      const folder = folders[depth] ?? "";
      scope = entered({ path: folder, scope }, listed[depth]?.rules);
      if (scope.match(joinPath(folder, name), name, true) === "ignore") return IgnoreScope.empty;
    }
    return scope;
  }
}

interface Level {
  readonly path: string;
  /** The rules that apply to the folder itself. */
  readonly scope: IgnoreScope;
}

function entered({ path, scope }: Level, rules: IgnoreTexts | undefined): IgnoreScope {
  if (rules === undefined || !Object.values(rules).some(Boolean)) return scope;
  const { ignore, gitignore, exclude, isRepository } = rules;
  const texts = { ignore: cut(ignore), gitignore: cut(gitignore), exclude: cut(exclude), isRepository };
  return scope.enter(path === "" ? "" : `${path}/`, texts);
}

function cut(text: string | undefined): string | undefined {
  if (text === undefined || Buffer.byteLength(text) <= MAX_IGNORE_FILE_BYTES) return text;
  return cutIgnoreText(Buffer.from(text).subarray(0, MAX_IGNORE_FILE_BYTES).toString("utf8"));
}

const DEFAULT_MAX_DEPTH = 20;
const FOLDERS_AT_ONCE = 200;
