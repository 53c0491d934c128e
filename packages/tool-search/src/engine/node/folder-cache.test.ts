import { mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { pick, randomFrom } from "../../../test-support/random-tree.js";
import { type DiskFixture, diskFixture, type FixtureFiles } from "../../../test-support/search-fixture.js";
import { DEFAULT_WALK } from "../walk/walk-options.js";
import { FolderCache } from "./folder-cache.js";
import { listFiles } from "./list-files.js";
import { TreeWalker } from "./tree-walker.js";

const SETTLED_MS = 30;
const open: DiskFixture[] = [];
afterEach(() => {
  for (const fixture of open.splice(0)) fixture.remove();
});

function tree(files: FixtureFiles): { root: string; cache: FolderCache } {
  const fixture = diskFixture(files);
  open.push(fixture);
  return { root: fixture.root, cache: new FolderCache(fixture.root, SETTLED_MS) };
}

function walk(folders: FolderCache): string[] {
  const walker = new TreeWalker({ folders, options: DEFAULT_WALK, mayOpen: () => true });
  const files: string[] = [];
  while (walker.step(files));
  return files.sort();
}

const settle = () => new Promise((resolve) => setTimeout(resolve, SETTLED_MS + 20));

/** Walks until everything there is to keep is kept. */
async function warmed(cache: FolderCache): Promise<string[]> {
  await settle();
  walk(cache);
  return walk(cache);
}

describe("a cache of folders", () => {
  it("gives the same view of a folder that did not change, and none of one that just did", async () => {
    const { root, cache } = tree({ "a/x.txt": "", "b/y.txt": "" });
    expect(cache.read("a/")).not.toBe(cache.read("a/"));
    await settle();
    const view = cache.read("a/");
    expect(cache.read("a/")).toBe(view);
    writeFileSync(join(root, "a/new.txt"), "");
    expect(cache.read("a/")).not.toBe(view);
    expect(cache.read("a/").entries.map(({ name }) => name)).toContain("new.txt");
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
    const { root, cache } = tree({ "a.txt": "", "sub/b.txt": "", ".gitignore": "*.log\n", ".git/HEAD": "" });
    utimesSync(join(root, "sub"), 1_000_000, 1_000_000);
    expect(await warmed(cache)).toEqual(["a.txt", "sub/b.txt"]);
    change(root);
    expect(walk(cache)).toEqual(expected);
    expect(await warmed(cache)).toEqual(expected);
  });

  it("lists what is there after any change", async () => {
    const random = randomFrom(7);
    const { root, cache } = tree({ "a/b/c.txt": "" });
    const folders = ["", "a/", "a/b/", "d/", "a/e/"];
    for (let round = 0; round < 120; round++) {
      const path = join(root, pick(random, folders), pick(random, ["x.txt", "y.log", ".gitignore"]));
      if (random(3) === 0) rmSync(path, { force: true });
      else {
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, pick(random, ["x.txt\n", "*.log\n", "e/\n!y.log\n"]));
      }
      if (random(4) === 0) await settle();
      expect(walk(cache)).toEqual(listFiles(root, DEFAULT_WALK).files.sort());
    }
  });
});
