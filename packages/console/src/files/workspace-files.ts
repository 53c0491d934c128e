import { ToolError } from "@haft/core";
import type { NodeRuntime } from "@haft/runtime-node";
import type { ChangeMark, FileContent, TreeEntry } from "../protocol.js";

/** Reads the files of a workspace, and saves a person's edits with the same tools that models use. */
export class WorkspaceFiles {
  readonly #open: () => NodeRuntime;
  /** Approves edits that a person makes in the console. Path rules, stale checks and the journal still apply. */
  readonly #editor: () => Promise<NodeRuntime>;

  constructor(runtime: () => NodeRuntime, editor: () => Promise<NodeRuntime>) {
    this.#open = runtime;
    this.#editor = editor;
  }

  get #runtime(): NodeRuntime {
    return this.#open();
  }

  /** Lists one folder, subfolders first. */
  async list(path: string): Promise<readonly TreeEntry[]> {
    const { workspace } = this.#runtime;
    const shown = new Set<string>();
    for await (const entry of workspace.walk(path, { maxDepth: 1, includeHidden: true })) {
      if (entry.ignored !== true) shown.add(entry.path);
      if (shown.size >= MAX_ENTRIES) break;
    }
    const entries = (await workspace.list(path)).slice(0, MAX_ENTRIES);
    return entries
      .filter(({ name }) => name !== ".git")
      .map(({ path: own, name, type, size }) => ({
        path: own,
        name,
        type,
        size,
        ...(!shown.has(own) && { ignored: true }),
      }))
      .sort((a, b) => order(a) - order(b) || (a.name < b.name ? -1 : 1));
  }

  /** Finds files by words of their paths, without ignored ones. Visits a bounded number of entries. */
  async find(words: string): Promise<readonly string[]> {
    const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
    const found: string[] = [];
    let seen = 0;
    for await (const { path, type, ignored } of this.#runtime.workspace.walk("", { includeHidden: true })) {
      if (++seen > MAX_WALKED || found.length >= MAX_FOUND) break;
      const isWanted = wanted.every((word) => path.toLowerCase().includes(word));
      if (type === "file" && ignored !== true && isWanted) found.push(path);
    }
    return found;
  }

  async read(path: string): Promise<FileContent> {
    const { workspace } = this.#runtime;
    const { size, type } = await workspace.stat(path);
    if (type !== "file") throw new ToolError("NOT_A_FILE", `${path} is not a file`);
    if (imageType(path) !== undefined) return { kind: "image", path, size };
    if (size > MAX_SHOWN) return { kind: "large", path, size };
    try {
      const { text, hash, format } = await workspace.readTextFile(path);
      return { kind: "text", path, text, hash, format: format.encoding, size };
    } catch (thrown) {
      if (ToolError.is(thrown) && thrown.code === "BINARY_FILE") return { kind: "binary", path, size };
      throw thrown;
    }
  }

  async image(path: string): Promise<{ readonly type: string; readonly bytes: Uint8Array }> {
    const type = imageType(path);
    if (type === undefined) throw new ToolError("NOT_A_FILE", `${path} is not an image`);
    return { type, bytes: await this.#runtime.workspace.readBytes(path) };
  }

  /** Returns the current hash of each path on disk, and null for a path that does not exist. Folders have none. */
  async hashes(paths: readonly string[]): Promise<Readonly<Record<string, string | null>>> {
    const { workspace } = this.#runtime;
    const found = await Promise.all(
      paths.slice(0, MAX_HASHED).map((path) =>
        workspace.hashOf(path).then(
          (hash) => [[path, hash]],
          (thrown) => (ToolError.is(thrown) && thrown.code.endsWith("_NOT_FOUND") ? [[path, null]] : []),
        ),
      ),
    );
    return Object.fromEntries(found.flat());
  }

  /** Saves a text that was read at `hash`. Rejects with STALE_FILE if the file has changed since. */
  async save({ path, text, hash }: SaveRequest): Promise<FileContent> {
    const editor = await this.#editor();
    const seen = hash === undefined ? {} : { alreadySeen: [{ path, hash }] };
    const result = await editor.call("write_file", { path, content: text }, seen);
    if (!result.ok) throw new ToolError(result.error.code, result.error.message, { hint: result.error.hint });
    const now = await this.read(path);
    // Another program may have written in between; its content must not be reported as saved.
    const isOurs = now.kind !== "text" || withoutCarriageReturns(now.text) === withoutCarriageReturns(text);
    return isOurs ? now : { ...now, text, hash: "" };
  }

  /** Lists the newest change of each path that calls made within a day, without undone ones. */
  async marks(): Promise<readonly ChangeMark[]> {
    const since = new Date(Date.now() - A_DAY_MS).toISOString();
    const marks = new Map<string, ChangeMark>();
    for (const { callId, tool, at, state, undoes, changes } of await this.#runtime.changes()) {
      if (state !== "done" || undoes !== undefined || at < since) continue;
      for (const { kind, path, from } of changes) {
        const wasMade = marks.get(path)?.kind === "create" && kind === "modify";
        marks.set(path, { path, kind: wasMade ? "create" : kind, callId, tool, at });
        if (from !== undefined) marks.delete(from);
      }
    }
    return [...marks.values()];
  }
}

interface SaveRequest {
  readonly path: string;
  readonly text: string;
  readonly hash?: string | undefined;
}

function withoutCarriageReturns(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

const MAX_WALKED = 50_000;
const MAX_FOUND = 40;
const MAX_HASHED = 200;
const MAX_ENTRIES = 20_000;
const MAX_SHOWN = 4 * 1024 * 1024;
const A_DAY_MS = 24 * 60 * 60 * 1000;

function order({ type }: TreeEntry): number {
  return type === "directory" ? 0 : 1;
}

/** Formats that cannot hold scripts. */
function imageType(path: string): string | undefined {
  const ending = /\.(png|jpe?g|gif|webp|avif)$/i.exec(path)?.[1]?.toLowerCase();
  if (ending === undefined) return undefined;
  return `image/${ending === "jpg" ? "jpeg" : ending}`;
}
