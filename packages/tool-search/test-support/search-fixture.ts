// For the engine's own tests: one tree on disk and the same in memory, and a request with defaults.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { PatternOptions } from "../src/engine/match/compile-pattern.js";
import type { SearchSource } from "../src/engine/portable/search-source.js";
import { DEFAULT_LIMITS, type SearchRequest } from "../src/engine/search/search-request.js";
import type { FolderEntry } from "../src/engine/walk/folder-entry.js";
import { DEFAULT_WALK, type WalkOptions } from "../src/engine/walk/walk-options.js";

export type FixtureFiles = Readonly<Record<string, string | Uint8Array>>;

export interface DiskFixture {
  readonly root: string;
  remove(): void;
}

export function diskFixture(files: FixtureFiles): DiskFixture {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "haft-search-")));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) };
}

export function memorySource(files: FixtureFiles): SearchSource {
  return {
    list: async (folder) => entriesOf(files, folder === "" ? "" : `${folder}/`),
    readBytes: async (path) => {
      const content = files[path];
      if (content === undefined) throw new Error(`no file ${path}`);
      return typeof content === "string" ? new TextEncoder().encode(content) : content;
    },
  };
}

function entriesOf(files: FixtureFiles, prefix: string): FolderEntry[] {
  const entries = new Map<string, FolderEntry>();
  for (const path of Object.keys(files)) {
    if (!path.startsWith(prefix)) continue;
    const [name, ...rest] = path.slice(prefix.length).split("/") as [string, ...string[]];
    entries.set(name, { name, kind: rest.length > 0 ? "folder" : "file" });
  }
  return [...entries.values()];
}

export type RequestChanges = Partial<Omit<SearchRequest, "pattern" | "walk">> & {
  walk?: Partial<WalkOptions>;
};

export function searchRequest(pattern: PatternOptions | string, changes: RequestChanges = {}): SearchRequest {
  return {
    order: "path",
    offset: 0,
    limit: 50,
    filesOnly: false,
    context: { before: 0, after: 0 },
    limits: DEFAULT_LIMITS,
    ...changes,
    pattern: typeof pattern === "string" ? { pattern } : pattern,
    walk: { ...DEFAULT_WALK, ...changes.walk },
  };
}
