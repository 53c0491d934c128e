import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AnyToolClass, createRuntime, defineTool, s } from "@haft/core";
import { MemoryWorkspace } from "@haft/core/memory";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { writePack } from "../../test-support/write-pack.js";
import { loadPackFolder } from "./load-pack-folder.js";
import { loadPacks } from "./load-packs.js";

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "haft-containment-")));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const Good = defineTool({
  name: "good",
  summary: "Works.",
  input: s.object({ list: s.array("Words", s.string("A word")) }),
  run: async ({ list }) => list.length,
});
const open = (...tools: AnyToolClass[]) =>
  createRuntime({ workspace: new MemoryWorkspace(), tools: [Good, ...tools] });

// Each case shows the message that the user sees. Code that blocks the thread cannot be stopped here: see contained/.
describe("a misbehaving pack leaves the runtime and other packs working", () => {
  it("throws on import: the error names the pack and the cause", async () => {
    writeFileSync(
      join(folder, "package.json"),
      '{"name":"acme-broken","type":"module","exports":"./index.js"}',
    );
    writeFileSync(join(folder, "index.js"), 'throw new Error("no licence key");');
    await expect(loadPackFolder(folder)).rejects.toMatchObject({
      code: "PACK_FAILED",
      message: "acme-broken could not be imported: no licence key",
    });
    const runtime = await open();
    expect(await runtime.call(Good, { list: [] })).toMatchObject({ ok: true });
  });

  it.each([
    ["never finishes its import", "await new Promise(() => {});", "its import took longer than 5 s"],
    ["ends the process", "process.exit(0);", "it tried to end the process"],
    [
      "ends it by a named import",
      'import { abort } from "node:process"; abort();',
      "it tried to end the process",
    ],
  ])("FP7 %s: it is given up, and other packs load", async (_case, source, reason) => {
    const { exit, abort } = process;
    const modules = join(folder, "node_modules");
    writePack(join(modules, "acme-bad"), source);
    writePack(join(modules, "acme-good"), 'define({ name: "fine" }, async () => 1);');
    writePack(join(modules, "acme-twin"), 'define({ name: "fine" }, async () => 1);');
    const told: string[] = [];
    const packs = await loadPacks(["acme-bad", "acme-absent", "acme-good", "acme-twin"], folder, {
      // The others must be imported in this time, and the machine may be busy.
      importMs: 5_000,
      skip: ({ message, hint }) => told.push(`${message}. ${hint}`),
    });
    expect(packs.map(({ name }) => name)).toEqual(["acme-good"]);
    expect(told).toEqual([
      `acme-bad could not be imported: ${reason}. Remove it from the list of packs, or try another version: npm install acme-bad@VERSION.`,
      `acme-absent is not installed where ${folder} can import it. Install it: npm install acme-absent`,
      "acme-twin defines fine, which acme-good already defines. Keep only one of the two in the list of packs.",
    ]);
    expect({ exit: process.exit, abort: process.abort }).toEqual({ exit, abort });
    expect(process.listenerCount("beforeExit")).toBe(0);
  });

  it("takes an existing name: the runtime is not created", async () => {
    const Twin = defineTool({ name: "good", summary: "Another.", input: s.object({}), run: async () => 1 });
    await expect(open(Twin)).rejects.toMatchObject({
      code: "TOOL_CONFLICT",
      message: expect.stringContaining("two tools are called good"),
    });
  });

  it("has an invalid schema, or needs more than its manifest lists: it is not loaded", async () => {
    writePack(folder, 'define({ name: "bad", input: { type: "objekt" } }, async () => 1);');
    await expect(loadPackFolder(folder)).rejects.toMatchObject({
      code: "PACK_FAILED",
      message: expect.stringMatching(/^acme-pack has an invalid schema for the input of bad: /),
    });
    const other = join(folder, "other");
    const haft = { pack: true, permissions: ["ReadFiles"] };
    writePack(
      other,
      'define({ name: "more", permissions: ["ReadFiles", "DeleteFiles"] }, async () => 1);',
      haft,
    );
    await expect(loadPackFolder(other)).rejects.toMatchObject({
      code: "PACK_FAILED",
      message: "acme-pack needs more permissions than its manifest lists: more needs DeleteFiles",
      hint: `Its package.json lists ReadFiles in haft.permissions. Remove it from the list of packs, or correct ${other}.`,
    });
  });

  it.each([
    [
      "FP7 defines one name twice",
      'define({ name: "same" }, async () => 1); define({ name: "same" }, async () => 2);',
      { pack: true },
      "acme-pack defines same twice",
    ],
    [
      "FP7 has permissions in its manifest that are not a list",
      'define({ name: "one", permissions: ["DeleteFiles"] }, async () => 1);',
      { pack: true, permissions: "ReadFiles" },
      "acme-pack: haft.permissions in its package.json is not a list",
    ],
    [
      "FP7 leaves out its permissions",
      'define({ name: "one", permissions: undefined }, async () => 1);',
      { pack: true },
      "acme-pack: the definition of one is wrong: it has no permissions. Define it with defineTool or toolDefinition",
    ],
  ])("%s: it is not loaded, and other packs are", async (_case, source, haft, message) => {
    writePack(folder, source, haft);
    await expect(loadPackFolder(folder)).rejects.toMatchObject({ code: "PACK_FAILED", message });
  });

  it("FP7 is a link to a folder and lacks a package, is TypeScript, or is not built: the hint names the remedy", async () => {
    const linked = join(folder, "linked");
    const modules = join(folder, "host", "node_modules");
    writePack(linked, 'import "acme-absent";');
    mkdirSync(modules, { recursive: true });
    symlinkSync(linked, join(modules, "acme-linked"), "junction");
    writePack(join(modules, "acme-typed"), 'import "./tool.tsx";');
    writeFileSync(join(modules, "acme-typed", "tool.tsx"), "export {};");
    const unbuilt = join(folder, "unbuilt");
    writePack(unbuilt, "");
    rmSync(join(unbuilt, "index.js"));
    const hints: (string | undefined)[] = [];
    await loadPacks(["acme-linked", "acme-typed"], join(folder, "host"), {
      skip: ({ hint }) => hints.push(hint),
    });
    expect(hints).toEqual([
      `Install what it imports: cd ${linked} && npm install. Its README may say more.`,
      "Node does not run TypeScript here. Compile it, and export the JavaScript in its package.json. Remove it from the list of packs, or try another version: npm install acme-typed@VERSION.",
    ]);
    for (const contain of [false, true])
      await expect(loadPackFolder(unbuilt, { contain })).rejects.toMatchObject({
        hint: `Its package.json exports index.js, which does not exist. Build it: cd ${unbuilt} && npm run build`,
      });
  });

  it("never returns: the call ends with TIMEOUT and the next one works", async () => {
    const Endless = defineTool({
      name: "endless",
      summary: "Waits.",
      timeoutMs: 100,
      input: s.object({}),
      run: () => new Promise<number>(() => {}),
    });
    const runtime = await open(Endless);
    expect(await runtime.call(Endless, {})).toMatchObject({
      ok: false,
      error: { code: "TIMEOUT", message: "The call took longer than 0.1 s and was stopped" },
    });
    expect(await runtime.call(Good, { list: ["a"] })).toMatchObject({ ok: true, value: 1 });
  });

  it("changes its arguments: they are frozen, and the caller's are untouched", async () => {
    const Greedy = defineTool({
      name: "greedy",
      summary: "Changes its arguments.",
      input: s.object({ list: s.array("Words", s.string("A word")) }),
      run: async ({ list }) => (list as string[]).push("more"),
    });
    const runtime = await open(Greedy);
    const args = { list: ["a"] };
    expect(await runtime.call(Greedy, args)).toMatchObject({
      ok: false,
      error: { code: "EXECUTION_ERROR", message: expect.stringContaining("object is not extensible") },
    });
    expect(args).toEqual({ list: ["a"] });
  });

  it("uses an undeclared capability: the method does not exist", async () => {
    const Sneaky = defineTool({
      name: "sneaky",
      summary: "Reads a file without permission.",
      input: s.object({}),
      run: async (_args, { workspace }) =>
        (workspace as unknown as { readText(path: string): string }).readText("a"),
    });
    const runtime = await open(Sneaky);
    expect(await runtime.call(Sneaky, {})).toMatchObject({
      ok: false,
      error: { code: "EXECUTION_ERROR", message: expect.stringContaining("readText") },
    });
  });
});
