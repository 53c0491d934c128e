import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { generatedHistory, type Tree } from "./generated-history.fixture.js";
import { markedPatch } from "./marked-patch.fixture.js";
import { patchTree, writeTree } from "./patched-tree.fixture.js";

// HAFT_PATCH_COMMITS=1000 replays a long history; the default is a sample.
const COMMITS = Number(process.env.HAFT_PATCH_COMMITS ?? 40);
const SEED = Number(process.env.HAFT_PATCH_SEED ?? 12);
const TIMEOUT = 1_800_000;
const history = generatedHistory(COMMITS, SEED);
afterAll(() => history.remove());

const after = (tree: Tree) => ({ files: Object.fromEntries(tree) });

const withoutLinks = (tree: Tree = new Map()): Tree =>
  new Map([...tree].filter(([, { isLink }]) => isLink !== true));

const FORMS: Record<string, readonly string[]> = {
  "-U0": ["-U0", "--no-renames"],
  "-U0 with renames": ["-U0", "-M"],
  "-U1": ["-U1", "-M"],
  "-U3": ["-U3", "--no-renames"],
  "-U10 with renames": ["-U10", "-M30%"],
  copies: ["-U3", "-M", "-C", "--find-copies-harder"],
  rewrites: ["-U3", "-B", "--no-renames"],
  mails: ["--format=email", "--stat", "--summary", "-U3", "-M"],
  "without prefixes": ["-U3", "-M", "--no-prefix"],
  "other prefixes": ["-U3", "-M", "--src-prefix=old/", "--dst-prefix=new/"],
};

describe(`FA1 FA2 apply_patch replays ${COMMITS} commits byte for byte`, () => {
  it.each(Object.entries(FORMS))(
    "as git diffs, %s",
    async (_form, options) => {
      const patches = history.patches(...options);
      expect(patches).toHaveLength(COMMITS + 1);
      for (const [index, patch] of patches.slice(1).entries())
        expect(await patchTree(history.trees[index] as Tree, patch), patch).toEqual(
          after(history.trees[index + 1] as Tree),
        );
    },
    TIMEOUT,
  );

  it(
    "as diff -ruN",
    async () => {
      const folder = mkdtempSync(join(tmpdir(), "haft-diff-"));
      for (let index = 0; index < COMMITS; index += 1) {
        const [before, next] = [withoutLinks(history.trees[index]), withoutLinks(history.trees[index + 1])];
        const withModes = new Map(
          [...next].map(([path, file]) => [
            path,
            { ...file, isExecutable: before.get(path)?.isExecutable ?? false },
          ]),
        );
        // A diff without git's headers has no modes and no links, and does not mention empty files.
        const isSayable = [...before.keys(), ...next.keys()].every(
          (path) => before.get(path)?.text !== "" && next.get(path)?.text !== "",
        );
        if (!isSayable) continue;
        for (const [name, tree] of [
          ["old", before],
          ["new", next],
        ] as const)
          writeTree(join(folder, name), tree);
        const { stdout } = spawnSync("diff", ["-ruN", "old", "new"], {
          cwd: folder,
          encoding: "utf8",
          env: { ...process.env, LC_ALL: "C" },
        });
        if (stdout !== "") expect(await patchTree(before, stdout), stdout).toEqual(after(withModes));
      }
      rmSync(folder, { recursive: true });
    },
    TIMEOUT,
  );

  it.each([
    ["with line numbers", false],
    ["with the whole file as context", true],
  ])(
    "as *** Begin Patch blocks, %s",
    async (_title, isWhole) => {
      const patches = history.patches(isWhole ? "-U100000" : "-U3", "-M");
      let replayed = 0;
      for (const [index, diff] of patches.slice(1).entries()) {
        const [before, next] = [history.trees[index] as Tree, history.trees[index + 1] as Tree];
        const patch = markedPatch(diff, { before, after: next });
        if (patch === undefined) continue;
        replayed += 1;
        expect(await patchTree(before, patch), patch).toEqual(after(next));
      }
      expect(replayed).toBeGreaterThan(COMMITS / 5);
    },
    TIMEOUT,
  );
});
