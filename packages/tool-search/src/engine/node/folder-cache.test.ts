import { mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { pick, randomFrom } from "../../../test-support/random-tree.js";
import { type DiskFixture, diskFixture, type FixtureFiles } from "../../../test-support/search-fixture.js";
import { DEFAULT_WALK } from "../walk/walk-options.js";
import { FolderCache } from "./folder-cache.js";
import { HeldPaths } from "./held-paths.js";
import { listFiles } from "./list-files.fixture.js";
import { TreeWalker } from "./tree-walker.js";

const SETTLED_MS = 30;
const open: DiskFixture[] = [];
afterEach(() => {
  for (const fixture of open.splice(0)) fixture.remove();
});

interface CachedTree {
  readonly root: string;
  readonly cache: FolderCache;
}

function tree(files: FixtureFiles): CachedTree {
  const fixture = diskFixture(files);
  open.push(fixture);
  return { root: fixture.root, cache: new FolderCache(fixture.root, SETTLED_MS) };
}

function read({ root, cache }: CachedTree, path: string) {
  const held = new HeldPaths(root);
  try {
    return cache.read(path, held);
  } finally {
    held.release();
  }
}

function walk({ root, cache: folders }: CachedTree): string[] {
  const held = new HeldPaths(root);
  const walker = new TreeWalker({ folders, held, options: DEFAULT_WALK, mayOpen: () => true });
  const files: string[] = [];
  while (walker.step(files));
  held.release();
  return files.sort();
}

const settle = () => new Promise((resolve) => setTimeout(resolve, SETTLED_MS + 20));

/** Walks until everything that can be cached is cached. */
async function warmed(cached: CachedTree): Promise<string[]> {
  await settle();
  walk(cached);
  return walk(cached);
}

describe("a cache of folders", () => {
  it("returns the same view of an unchanged folder, and none of one that just changed", async () => {
    const cached = tree({ "a/x.txt": "", "b/y.txt": "" });
    expect(read(cached, "a/")).not.toBe(read(cached, "a/"));
    await settle();
    const view = read(cached, "a/");
    expect(read(cached, "a/")).toBe(view);
    writeFileSync(join(cached.root, "a/new.txt"), "");
    expect(read(cached, "a/")).not.toBe(view);
    expect(read(cached, "a/").entries.map(({ name }) => name)).toContain("new.txt");
  });

  it.each<[string, (root: string) => void, string[]]>([
    ["a new file", (root) => writeFileSync(join(root, "sub/c.txt"), ""), ["a.txt", "sub/b.txt", "sub/c.txt"]],
    ["a removed file", (root) => rmSync(join(root, "sub/b.txt")), ["a.txt"]],
    ["a rename", (root) => renameSync(join(root, "a.txt"), join(root, "z.txt")), ["sub/b.txt", "z.txt"]],
    ["a first ignore file", (root) => writeFileSync(join(root, "sub/.gitignore"), "b*\n"), ["a.txt"]],
    ["a changed ignore file", (root) => writeFileSync(join(root, ".gitignore"), "a.txt\n"), ["sub/b.txt"]],
    [
      "an exclude file where there was none",
      (root) => {
        mkdirSync(join(root, ".git/info"));
        writeFileSync(join(root, ".git/info/exclude"), "sub\n");
      },
      ["a.txt"],
    ],
    [
      "a file that takes care to leave the folder's time as it was",
      (root) => {
        writeFileSync(join(root, "sub/c.txt"), "");
        utimesSync(join(root, "sub"), 1_000_000, 1_000_000);
      },
      ["a.txt", "sub/b.txt", "sub/c.txt"],
    ],
    [
      "a folder that became a link",
      (root) => {
        renameSync(join(root, "sub"), join(root, "moved"));
        symlinkSync("moved", join(root, "sub"));
      },
      ["a.txt", "moved/b.txt"],
    ],
  ])("notices %s at once", async (_, change, expected) => {
    const cached = tree({ "a.txt": "", "sub/b.txt": "", ".gitignore": "*.log\n", ".git/HEAD": "" });
    utimesSync(join(cached.root, "sub"), 1_000_000, 1_000_000);
    expect(await warmed(cached)).toEqual(["a.txt", "sub/b.txt"]);
    change(cached.root);
    expect(walk(cached)).toEqual(expected);
    expect(await warmed(cached)).toEqual(expected);
  });

  it("lists the current entries after any change", async () => {
    const random = randomFrom(7);
    const cached = tree({ "a/b/c.txt": "" });
    const { root } = cached;
    const folders = ["", "a/", "a/b/", "d/", "a/e/"];
    for (let round = 0; round < 120; round++) {
      const path = join(root, pick(random, folders), pick(random, ["x.txt", "y.log", ".gitignore"]));
      if (random(3) === 0) rmSync(path, { force: true });
      else {
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, pick(random, ["x.txt\n", "*.log\n", "e/\n!y.log\n"]));
      }
      if (random(4) === 0) await settle();
      expect(walk(cached)).toEqual(listFiles(root, DEFAULT_WALK).files.sort());
    }
  });
});
