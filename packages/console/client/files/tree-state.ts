import { computed, effect, signal } from "@preact/signals";
import type { ChangeMark, TreeEntry } from "../../src/protocol.js";
import { plural } from "../parts/duration.js";
import { toast } from "../parts/toast.js";
import { withoutFolders } from "../parts/without-folders.js";
import { get, isOffline, wordsOf } from "../state/api.js";
import { go } from "../state/route.js";
import { reconnections } from "../state/stream.js";
import { changedFolders, workspace } from "../state/workspace.js";

/** The entries of every folder that was opened, by path. */
export const folders = signal<ReadonlyMap<string, readonly TreeEntry[]>>(new Map());
export const expanded = signal<ReadonlySet<string>>(new Set());
/** The newest change of each path. */
export const marks = signal<ReadonlyMap<string, ChangeMark>>(new Map());
/** Paths that have just appeared. */
export const fresh = signal<ReadonlySet<string>>(new Set());
/** Why the folder of the workspace cannot be read: it may have been deleted or moved. */
export const rootProblem = signal<string | undefined>(undefined);
/** The changed files, and folders without any. */
export const changed = computed(() => withoutFolders([...marks.value.values()]));

let root = "";

effect(() => {
  const id = workspace.value?.id;
  if (id === undefined || id === root) return;
  // Folders that the address opens stay open when the page starts.
  if (root !== "") expanded.value = new Set();
  root = id;
  folders.value = new Map();
  marks.value = new Map();
  for (const folder of expanded.peek()) void load(folder);
  void load("");
  void loadMarks();
});

effect(() => {
  const changed = changedFolders.value;
  if (changed.length === 0) return;
  for (const folder of changed) {
    // A new folder is inserted as an entry of its nearest visible parent.
    let near = folder;
    while (near !== "" && !folders.peek().has(near)) near = near.split("/").slice(0, -1).join("/");
    if (near === "" || folders.peek().has(near)) void load(near);
  }
  void loadMarks();
});

/** A restarted server watches only folders that clients read again. */
effect(() => {
  if (reconnections.value > 0) reloadTree();
});

/** Reads every folder that is shown again. */
export function reloadTree(): void {
  for (const folder of new Set(["", ...expanded.peek(), ...folders.peek().keys()])) void load(folder);
  void loadMarks();
}

export function toggle(path: string): void {
  const next = new Set(expanded.value);
  if (!next.delete(path)) {
    next.add(path);
    void load(path);
  }
  expanded.value = next;
}

/** Opens every folder above a path. */
export function reveal(path: string): void {
  const parts = path.split("/").slice(0, -1);
  const above = parts.map((_, index) => parts.slice(0, index + 1).join("/"));
  for (const folder of above) if (!folders.peek().has(folder)) void load(folder);
  expanded.value = new Set([...expanded.peek(), ...above]);
}

const loading = new Map<string, "once" | "again">();

/** Reads a folder, and again if it changed meanwhile. At most one request per folder is in flight. */
async function load(folder: string): Promise<void> {
  const key = `${root} ${folder}`;
  if (loading.has(key)) {
    loading.set(key, "again");
    return;
  }
  do {
    loading.set(key, "once");
    await read(folder);
  } while (loading.get(key) === "again");
  loading.delete(key);
}

async function read(folder: string): Promise<void> {
  const before = folders.peek().get(folder);
  const from = root;
  let problem: string | undefined;
  // A folder that is gone leaves the tree; one that cannot be asked about stays as it was.
  const entries = await get<readonly TreeEntry[]>("tree", { path: folder }).catch((thrown) => {
    if (isOffline(thrown)) return before;
    problem = wordsOf(thrown);
    return undefined;
  });
  // Another workspace is on screen by now.
  if (from !== root) return;
  if (folder === "") rootProblem.value = problem;
  if (entries === undefined) {
    folders.value = new Map([...folders.peek()].filter(([path]) => path !== folder));
    return;
  }
  folders.value = new Map([...folders.peek(), [folder, entries]]);
  // A folder that was open, deleted and recreated is still open.
  for (const { path, type } of entries)
    if (type === "directory" && expanded.peek().has(path) && !folders.peek().has(path)) void load(path);
  if (before === undefined) return;
  const known = new Set(before.map(({ path }) => path));
  const appeared = entries.map(({ path }) => path).filter((path) => !known.has(path));
  if (appeared.length > 0) showFresh(appeared);
}

function showFresh(paths: readonly string[]): void {
  fresh.value = new Set([...fresh.peek(), ...paths]);
  setTimeout(() => {
    fresh.value = new Set([...fresh.peek()].filter((path) => !paths.includes(path)));
  }, 2_000);
}

async function loadMarks(): Promise<void> {
  const from = root;
  const found = await get<readonly ChangeMark[]>("marks").catch(() => undefined);
  if (found === undefined || from !== root) return;
  const created = found.filter(
    ({ kind, path, at }) => kind === "create" && !marks.peek().has(path) && at >= OPENED_AT,
  );
  marks.value = new Map(found.map((mark) => [mark.path, mark]));
  if (created.length > 0) announceCreated(created);
}

const OPENED_AT = new Date().toISOString();

function announceCreated(all: readonly ChangeMark[]): void {
  const created = withoutFolders(all);
  const [first] = created;
  if (first === undefined) return;
  const { path, tool } = first;
  const what = created.length === 1 ? (path.split("/").at(-1) ?? path) : plural(created.length, "file");
  toast(`${tool} created ${what}`, { name: "Open", run: () => go({ screen: "files", item: path }) });
}
