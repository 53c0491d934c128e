import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { OverlayWorkspace } from "@haft/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { NodeWorkspace } from "./node-workspace.js";
import { openNodeWorkspace } from "./open-node-workspace.js";

let base: string;
let root: string;
let workspace: NodeWorkspace;

beforeEach(async () => {
  base = mkdtempSync(join(tmpdir(), "haft-ws-"));
  root = join(base, "ws");
  mkdirSync(join(root, "src"), { recursive: true });
  writeFileSync(join(root, "src/a.ts"), "one\n", { mode: 0o755 });
  workspace = await openNodeWorkspace(root, { stateDirectory: join(base, "state") });
});

afterEach(() => {
  workspace.close();
  rmSync(base, { recursive: true, force: true });
});

describe("NodeWorkspace", () => {
  it("S4.001.a reads a file whole", async () => {
    expect(await workspace.readText("src/a.ts")).toBe("one\n");
    expect(await workspace.stat("src")).toMatchObject({ type: "directory", path: "src" });
  });

  it("S4.002.c writes through an overlay: mode kept, parents made, moved, deleted", async () => {
    const overlay = new OverlayWorkspace(workspace);
    await overlay.writeText("src/a.ts", "two\n");
    await overlay.createText("deep/er/b.txt", "new\n");
    await overlay.move("src/a.ts", "deep/a.ts");
    await workspace.commit(overlay.changes, { callId: "c1", tool: "t" });
    expect(readFileSync(join(root, "deep/a.ts"), "utf8")).toBe("two\n");
    expect(statSync(join(root, "deep/a.ts")).mode & 0o777).toBe(0o755);
    expect(readFileSync(join(root, "deep/er/b.txt"), "utf8")).toBe("new\n");
    const second = new OverlayWorkspace(workspace);
    await second.remove("deep", { recursive: true });
    await workspace.commit(second.changes, { callId: "c2", tool: "t" });
    expect(await workspace.exists("deep")).toBe(false);
  });

  it("S4.001.c refuses a link that leads out", async () => {
    writeFileSync(join(base, "secret"), "canary");
    symlinkSync(join(base, "secret"), join(root, "link"));
    await expect(workspace.readText("link")).rejects.toMatchObject({ code: "INVALID_PATH" });
  });

  it("walks with ignore files", async () => {
    writeFileSync(join(root, ".gitignore"), "dist/\n*.log\n!keep.log\n");
    mkdirSync(join(root, "dist"));
    writeFileSync(join(root, "dist/x"), "");
    writeFileSync(join(root, "a.log"), "");
    writeFileSync(join(root, "keep.log"), "");
    const seen: string[] = [];
    for await (const entry of workspace.walk("")) seen.push(entry.path + (entry.ignored ? " ignored" : ""));
    expect(seen).toEqual(["dist ignored", "keep.log", "src", "src/a.ts"]);
  });
});
