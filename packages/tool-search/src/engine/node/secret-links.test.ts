import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createNodeRuntime, type NodeRuntime } from "@haft/runtime-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Grep } from "../../grep/grep-tool.js";
import { Search } from "../../search/search-tool.js";

// R19: the content of a sensitive file is not shown under another name of the same file.

const SECRET = "k3y-canary";
let base: string;
let runtime: NodeRuntime;

beforeAll(async () => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "haft-secret-links-")));
  const root = join(base, "ws");
  mkdirSync(join(root, "sub/deep"), { recursive: true });
  for (const folder of ["", "sub/"]) writeFileSync(join(root, `${folder}.env`), `TOKEN=${SECRET}\n`);
  linkSync(join(root, ".env"), join(root, "beside.txt"));
  linkSync(join(root, ".env"), join(root, "sub/deep/below.txt"));
  linkSync(join(root, "sub/.env"), join(root, "sub/deep/above.txt"));
  writeFileSync(join(root, "plain.txt"), "TOKEN=fine\n");
  linkSync(join(root, "plain.txt"), join(root, "twice.txt"));
  const stateDirectory = join(base, "state");
  runtime = await createNodeRuntime({
    workspace: root,
    stateDirectory,
    role: "reader",
    tools: [Grep, Search],
    env: {},
  });
});
afterAll(async () => {
  await runtime.dispose();
  rmSync(base, { recursive: true, force: true });
});

describe("S4.005.c a hard link to a sensitive file", () => {
  it.each([
    ["grep", { pattern: "TOKEN" }],
    ["grep", { pattern: "TOKEN", path: "beside.txt" }],
    ["grep", { pattern: "TOKEN", path: "sub/deep" }],
    ["grep", { pattern: "TOKEN", glob: "*.txt", output_mode: "files_with_matches" }],
    ["search", { query: "TOKEN canary" }],
    ["search", { query: "TOKEN", in: "content" }],
  ])("is not shown by %s %j", async (tool, args) => {
    const result = await runtime.call(tool, args);
    expect(JSON.stringify(result)).not.toContain(SECRET);
    expect(JSON.stringify(result)).not.toContain("beside.txt:");
  });

  it("is not counted either: the counts of guesses would reveal it", async () => {
    const result = await runtime.call("grep", { pattern: `^TOKEN=${SECRET}` });
    expect(result).toMatchObject({ ok: true, value: { matches: [], totalMatches: 0, totalFiles: 0 } });
  });

  it("does not hide a file that merely has two names", async () => {
    expect((await runtime.call("grep", { pattern: "TOKEN" })).text).toMatch(/plain\.txt[\s\S]*twice\.txt/);
  });
});
