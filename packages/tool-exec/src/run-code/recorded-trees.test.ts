import { spawnSync } from "node:child_process";
import { cpSync, existsSync, lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ExecWorld, openExecWorld } from "../exec.fixture.js";
import { treeOf } from "../execute-command/undo-commands.fixture.js";
import { linesOf, Random, startOf } from "./random-changes.fixture.js";
import { RunCode } from "./run-code-tool.js";

const noBox = process.platform !== "linux" || !existsSync("/usr/bin/bwrap");
const ROUNDS = Number(process.env.HAFT_TREE_ROUNDS ?? 10);

let world: ExecWorld;
beforeAll(async () => {
  world = await openExecWorld({}, { tools: [RunCode], approver: async () => ({ approved: true }) });
});
afterAll(() => world[Symbol.asyncDispose]());

describe.skipIf(noBox)("changes of code", () => {
  it("FE1 are applied exactly as in the view, whatever was moved, and undo restores the tree", async () => {
    const checked = fc.asyncProperty(fc.nat(), async (seed) => {
      const random = new Random(seed);
      await check(startOf(random), linesOf(random));
    });
    await fc.assert(checked, { numRuns: ROUNDS, endOnFailure: true });
  }, 600_000);

  it.each([
    [
      "an empty file is deleted while another is renamed",
      "a/__init__.py b/old",
      "rm a/__init__.py; mv b/old b/new",
    ],
    [
      "a folder is moved around the target of another move",
      "a/b/b/one b/c/two",
      "mv a/b/b/one a/one; mkdir d; mv a/b d/b; mv a/one d/b/b; mv b/c d/c",
    ],
    [
      "folders are nested the other way round",
      "a/b/__init__.py a/b/c/y b/c/b",
      "mv a/b a/b/c; mv b/c d; mv a/b d/b; rm -rf a",
    ],
    ["a file becomes a folder that another moves into", "b/b a/c/x", "rm b/b; mkdir b/b; mv a/c b/b"],
    ["a link leads to a link that leads nowhere", "a/b/x; ln -s gone a/y", "ln -s y a/z; rm a/b/x"],
    [
      "links lead in a circle",
      "a/b/x a/y",
      "ln -s p a/q; ln -s q a/p; ln -s p a/r; ln -s y/in a/s; rm a/b/x",
    ],
    ["a file takes the place of the folder it was in", "a/b/x a/y", "mv a/b/x t; rm -r a/b; mv t a/b"],
  ])("FE1 are applied exactly if %s", async (_title, files, code) => {
    await check(`mkdir -p a/b/b a/b/c a/c b/c; touch ${files}`, code);
  });
});

async function check(start: string, code: string): Promise<void> {
  const { workspace } = world;
  bash(workspace, `shopt -s dotglob; rm -rf -- *; ${start}`);
  bash(workspace, "find . -type f -exec touch -d @1000000000 {} +");
  const before = treeOf(workspace);
  const plain = join(world.root, "plain");
  cpSync(workspace, plain, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
  bash(plain, code);
  const expected = treeOf(plain);
  const kept = keptTimes(plain);
  rmSync(plain, { recursive: true });

  const result = await world.call("run_code", { language: "bash", code });
  const told = `${start}\n---\n${code}\n---\n${result.text}`;
  expect([result.ok, result.warnings], told).toEqual([true, []]);
  expect(treeOf(workspace), told).toEqual(expected);
  expect(keptTimes(workspace), told).toEqual(expect.arrayContaining(kept));
  if (JSON.stringify(before) === JSON.stringify(expected)) return;
  await world.runtime.undo();
  expect(treeOf(workspace), `undo of ${told}`).toEqual(before);
}

/** Returns the files that were not written since the start. */
function keptTimes(root: string): string[] {
  const paths = readdirSync(root, { recursive: true, encoding: "utf8" }).sort();
  return paths.filter((path) => {
    const stats = lstatSync(join(root, path));
    return stats.isFile() && stats.mtimeMs === 1_000_000_000_000;
  });
}

function bash(cwd: string, code: string): void {
  spawnSync("bash", ["-c", code], { cwd, stdio: "ignore" });
}
