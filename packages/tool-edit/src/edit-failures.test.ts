import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createToolRuntime } from "@haft/core/kernel";
import { openNodeWorkspace } from "@haft/runtime-node";
import { type ScriptedAnswer, scriptedApprover } from "@haft/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { ApplyPatch, Edit, EditLines, ReplaceInFile } from "./index.js";

const NOBODY = 65_534;
const isRoot = process.geteuid?.() === 0;
const GROWN = "x".repeat(200_000);

/** The same change by each tool. */
const CALLS: readonly (readonly [string, (path: string, text: string) => object])[] = [
  ["edit", (path, text) => ({ path, old_string: "old", new_string: text })],
  [
    "edit_lines",
    (path, text) => ({ path, operation: "replace", start_line: 1, content: text, expected: "old" }),
  ],
  ["replace_in_file", (path, text) => ({ path, find: "old", replace: text })],
  ["apply_patch", (path, text) => ({ patch: `--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-old\n+${text}\n` })],
];

async function runtimeOver(answers: ScriptedAnswer = true) {
  const base = mkdtempSync(join(tmpdir(), "haft-edit-"));
  const root = join(base, "ws");
  for (const folder of ["ws", "outside"]) mkdirSync(join(base, folder));
  const workspace = await openNodeWorkspace(root, { stateDirectory: join(base, "state") });
  const runtime = createToolRuntime({
    role: { name: "tester", permissions: ["ReadFiles", "WriteFiles", "CreateFiles", "DeleteFiles"] },
    tools: [ApplyPatch, Edit, EditLines, ReplaceInFile],
    workspace,
    approver: scriptedApprover(answers),
  });
  onTestFinished(async () => {
    await runtime.dispose();
    await workspace.close();
    rmSync(base, { recursive: true, force: true });
  });
  const codeOf = async (tool: string, args: object) => {
    const result = await runtime.call(tool, args);
    return result.ok ? "ok" : result.error.code;
  };
  return { base, at: (path: string) => join(root, path), codeOf };
}

function mountSmall(path: string, options: string): boolean {
  mkdirSync(path);
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", options, "none", path], { stdio: "ignore" });
  } catch {
    return false;
  }
  onTestFinished(() => void execFileSync("umount", ["-l", path]));
  return true;
}

describe.each(CALLS)("%s, when writing fails", (tool, argsFor) => {
  it("S1.I3 a full disk is DISK_FULL, the file is intact, and nothing is left behind", async (context) => {
    const { at, codeOf } = await runtimeOver();
    if (!mountSmall(at("small"), "size=64k")) return context.skip();
    writeFileSync(at("small/a.txt"), "old\n");
    expect(await codeOf(tool, argsFor("small/a.txt", GROWN))).toBe("DISK_FULL");
    expect([readdirSync(at("small")), readFileSync(at("small/a.txt"), "utf8")]).toEqual([["a.txt"], "old\n"]);
  });

  it("S2.NFR3 a read-only folder is PERMISSION_DENIED", async (context) => {
    const { at, codeOf } = await runtimeOver();
    if (!mountSmall(at("ro"), "size=64k")) return context.skip();
    writeFileSync(at("ro/a.txt"), "old\n");
    execFileSync("mount", ["-o", "remount,ro", at("ro")]);
    expect(await codeOf(tool, argsFor("ro/a.txt", "new"))).toBe("PERMISSION_DENIED");
    expect(readdirSync(at("ro"))).toEqual(["a.txt"]);
  });

  it.runIf(isRoot)("S2.NFR3 a folder without write permission is PERMISSION_DENIED", async () => {
    const { base, at, codeOf } = await runtimeOver();
    for (const folder of [base, at(".")]) chmodSync(folder, 0o777);
    mkdirSync(at("theirs"));
    writeFileSync(at("theirs/a.txt"), "old\n");
    process.setegid?.(NOBODY);
    process.seteuid?.(NOBODY);
    try {
      expect(await codeOf(tool, argsFor("theirs/a.txt", "new"))).toBe("PERMISSION_DENIED");
    } finally {
      process.seteuid?.(0);
      process.setegid?.(0);
    }
    expect([readdirSync(at("theirs")), readFileSync(at("theirs/a.txt"), "utf8")]).toEqual([
      ["a.txt"],
      "old\n",
    ]);
  });

  it("a file removed, or swapped for a link, during the prompt is not touched", async () => {
    for (const isSwapped of [false, true]) {
      const { base, at, codeOf } = await runtimeOver(() => {
        renameSync(at("a.txt"), at("b.txt"));
        if (isSwapped) symlinkSync(join(base, "outside/target.txt"), at("a.txt"));
        return true;
      });
      writeFileSync(join(base, "outside/target.txt"), "old\n");
      writeFileSync(at("a.txt"), "old\n");
      expect(["STALE_FILE", "INVALID_PATH"]).toContain(await codeOf(tool, argsFor("a.txt", "new")));
      expect(readFileSync(join(base, "outside/target.txt"), "utf8")).toBe("old\n");
      expect(readdirSync(at(".")).sort()).toEqual(isSwapped ? ["a.txt", "b.txt"] : ["b.txt"]);
    }
  });

  it("of two writers on one file one wins, and the other gets an error", async () => {
    const { at, codeOf } = await runtimeOver();
    writeFileSync(at("a.txt"), "old\n");
    const codes = await Promise.all(["one", "two"].map((text) => codeOf(tool, argsFor("a.txt", text))));
    expect(codes.filter((code) => code === "ok").length).toBeGreaterThanOrEqual(1);
    expect(["one\n", "two\n"]).toContain(readFileSync(at("a.txt"), "utf8"));
    expect(readdirSync(at("."))).toEqual(["a.txt"]);
  });

  it("S2.OUT refuses to edit a binary file or an archive", async () => {
    const { at, codeOf } = await runtimeOver();
    writeFileSync(at("a.zip"), Buffer.from([0x50, 0x4b, 3, 4, 0, 0, 0x6f, 0x6c, 0x64, 0xff]));
    const before = readFileSync(at("a.zip"));
    expect(["BINARY_FILE", "PATCH_FAILED"]).toContain(await codeOf(tool, argsFor("a.zip", "new")));
    expect(readFileSync(at("a.zip")).equals(before)).toBe(true);
  });

  it("every kind of entry fails with its own code, and stays unchanged", async () => {
    const { base, at, codeOf } = await runtimeOver();
    execFileSync("mkfifo", [at("pipe")]);
    symlinkSync("nowhere", at("dangling"));
    symlinkSync("loop", at("loop"));
    symlinkSync(join(base, "outside"), at("out"));
    writeFileSync(at("zero"), "");
    writeFileSync(at("sparse"), "old\n");
    truncateSync(at("sparse"), 2 ** 30);
    writeFileSync(at("odd\nname"), "old\n");
    const before = readdirSync(at(".")).length;
    const paths = [
      "pipe",
      "dangling",
      "loop",
      "out",
      "zero",
      "sparse",
      "odd\nname",
      ".",
      "/",
      "zero/x",
      "x".repeat(300),
    ];
    for (const path of paths) {
      const code = await codeOf(tool, argsFor(path, "new"));
      expect(["INTERNAL", "EXECUTION_ERROR", "IO_ERROR"], `${tool} ${path}`).not.toContain(code);
    }
    expect(readdirSync(at("."))).toHaveLength(before);
    expect([statSync(at("sparse")).size, statSync(at("zero")).size]).toEqual([2 ** 30, 0]);
  });
});
