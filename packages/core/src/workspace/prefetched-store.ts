import { decodeText } from "@haft/text";
import type { FileChange, Snapshot } from "./file-change.js";
import { binaryFile, fileNotFound } from "./path-errors.js";
import { joinPath, parentPath } from "./path-text.js";
import type { ByteRange, FileEntry, FileStat, TextFile } from "./workspace.js";
import type { CommitCall, LocateOptions, Location, PathState, WorkspaceStore } from "./workspace-store.js";

/**
 * Reads the paths that a call names in one round trip, and returns a store that answers from them. Returns the original
 * store if it cannot batch or the call names no paths.
 */
export async function prefetch(store: WorkspaceStore, named: readonly string[]): Promise<WorkspaceStore> {
  if (store.readMany === undefined || named.length === 0) return store;
  const located = named.flatMap((path) => vetted(store, path) ?? []);
  if (located.length === 0) return store;
  const paths = new Set(located.flatMap(wanted));
  const states = new Map((await store.readMany([...paths])).map((state) => [state.path, state]));
  return prefetchedStore(store, states, new Set(located));
}

/** Returns the path, its parent folders, which may contain links, and the `.editorconfig` files that apply to it. */
function wanted(path: string): readonly string[] {
  const paths = [path];
  for (let folder = path; folder !== ""; ) {
    folder = parentPath(folder);
    if (folder !== "") paths.push(folder);
    paths.push(joinPath(folder, ".editorconfig"));
  }
  return paths;
}

/** Returns undefined for a path that the store rejects; the call gets the error when it uses the path. */
function vetted(store: WorkspaceStore, path: string): string | undefined {
  try {
    return store.vet(path).path;
  } catch {
    return undefined;
  }
}

function prefetchedStore(
  store: WorkspaceStore,
  states: Map<string, PathState>,
  named: ReadonlySet<string>,
): WorkspaceStore {
  const known = new KnownPaths(store, states, named);
  const own: Partial<WorkspaceStore> = {
    locate: async (path, options) => known.locate(path, options) ?? store.locate(path, options),
    entry: async (path) => (states.has(path) ? states.get(path)?.entry : store.entry(path)),
    snapshot: async (path) => {
      const state = states.get(path);
      if (state === undefined || (state.entry !== undefined && state.bytes === undefined))
        return store.snapshot(path);
      return state.entry === undefined ? undefined : known.snapshot(state);
    },
    stat: async (path) => known.stat(path) ?? store.stat(path),
    exists: async (path) => {
      const state = known.at(path);
      return state === undefined ? store.exists(path) : state.entry !== undefined;
    },
    readText: async (path) => ((await known.text(path)) ?? (await store.readTextFile(path))).text,
    readTextFile: async (path, options) => (await known.text(path)) ?? store.readTextFile(path, options),
    readBytes: async (path, range) => known.bytes(path, range) ?? store.readBytes(path, range),
    hashOf: async (path) => (await known.hash(path)) ?? store.hashOf(path),
    textPart: async (path, place) =>
      known.at(path) === undefined ? store.textPart?.(path, place) : undefined,
    // Successful or not, a commit invalidates the prefetched data.
    commit: (changes: readonly FileChange[], call: CommitCall) =>
      store.commit(changes, call).finally(() => states.clear()),
  };
  return new Proxy(store, {
    get: (target, name) => {
      if (Object.hasOwn(own, name)) return own[name as keyof WorkspaceStore];
      const value = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

class KnownPaths {
  readonly #store: WorkspaceStore;
  readonly #states: ReadonlyMap<string, PathState>;
  readonly #named: ReadonlySet<string>;

  constructor(store: WorkspaceStore, states: ReadonlyMap<string, PathState>, named: ReadonlySet<string>) {
    this.#store = store;
    this.#states = states;
    this.#named = named;
  }

  /** Returns undefined if the path crosses a link or a folder that was not prefetched. */
  locate(given: string, options: LocateOptions = {}): Location | undefined {
    const location = this.#store.vet(given, options);
    for (let path = location.path; path !== ""; path = parentPath(path)) {
      const state = this.#states.get(path);
      if (state === undefined || state.entry?.type === "symlink") return undefined;
    }
    return location;
  }

  at(given: string): PathState | undefined {
    const location = this.locate(given);
    return location === undefined ? undefined : this.#states.get(location.path);
  }

  stat(given: string): FileStat | undefined {
    const entry = this.#present(given)?.entry;
    return entry && statOf(entry);
  }

  async snapshot({ entry, bytes }: PathState): Promise<Snapshot> {
    const { size, mode } = entry as FileEntry;
    const content = bytes as Uint8Array;
    return { type: "file", hash: await this.#store.hash(content), size, mode, bytes: content };
  }

  async text(given: string): Promise<TextFile | undefined> {
    const bytes = this.bytes(given);
    const stat = bytes && this.stat(given);
    if (bytes === undefined || stat === undefined) return undefined;
    const decoded = decodeText(bytes);
    if (decoded === undefined) throw binaryFile(given, bytes);
    return { ...stat, ...decoded, hash: await this.#store.hash(bytes) };
  }

  async hash(given: string): Promise<string | undefined> {
    const bytes = this.bytes(given);
    return bytes && this.#store.hash(bytes);
  }

  bytes(given: string, { start = 0, end }: ByteRange = {}): Uint8Array | undefined {
    return this.#present(given)?.bytes?.slice(start, end);
  }

  /** Leaves a missing path to the store, whose error also suggests similar names. */
  #present(given: string): PathState | undefined {
    const state = this.at(given);
    if (state === undefined || state.entry !== undefined) return state;
    if (this.#named.has(this.#store.vet(given).path)) return undefined;
    throw fileNotFound(given);
  }
}

function statOf({ path, type, size, modifiedMs, mode }: FileEntry): FileStat {
  return { path, type, size, modifiedMs, mode };
}
