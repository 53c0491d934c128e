import { spawnSync } from "node:child_process";
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ExecWorld, openExecWorld } from "../exec.fixture.js";
import { ExecuteCommand } from "../execute-command/execute-command-tool.js";
import { RunCode } from "./run-code-tool.js";

const noBox = process.platform !== "linux" || !existsSync("/usr/bin/bwrap");
let world: ExecWorld;
const read = (path: string) => readFileSync(join(world.workspace, path), "utf8");
const has = (path: string) => existsSync(join(world.workspace, path));

const HIDDEN = {
  "linked/.env": "KEY=HIDDEN",
  "linked/x": "x",
  "closed/private.txt": "HIDDEN",
  "closed/x": "x",
};
const NAMED = { "away/x": "x", "n/.haft-lifted/kept": "kept", "n/from/x": "x", "sp ace/x": "x" };

beforeAll(async () => {
  world = await openExecWorld(
    {
      "src/deep/a.txt": "one",
      "src/.env": "KEY=1",
      "p/a/m": "A",
      "p/b/m": "B",
      "tracked/x": "x",
      ...HIDDEN,
      ...NAMED,
    },
    {
      tools: [ExecuteCommand, RunCode],
      approver: async () => ({ approved: true }),
      commands: { onUnlisted: "box" },
      role: {
        name: "coder",
        permissions: ["ReadFiles", "WriteFiles", "CreateFiles", "DeleteFiles", "ExecuteCommands", "RunCode"],
        rules: [{ effect: "deny", permission: "ReadFiles", when: { path: "closed/private.txt" } }],
      },
    },
  );
  // More than a copy of the workspace may hold.
  for (let folder = 0; folder < 21; folder += 1) {
    mkdirSync(join(world.workspace, `many/${folder}`), { recursive: true });
    for (let file = 0; file < 1_000; file += 1)
      writeFileSync(join(world.workspace, `many/${folder}/${file}`), "");
  }
  const git = (...args: string[]) =>
    spawnSync("git", ["-c", "user.name=T", "-c", "user.email=t@example.com", ...args], {
      cwd: world.workspace,
    });
  git("init", "-q");
  git("add", "tracked");
  git("commit", "-qm", "First");
}, 60_000);
afterAll(() => world[Symbol.asyncDispose](), 60_000);

describe.skipIf(noBox)("FE20 in a workspace that is too large to copy", () => {
  it("git mv renames a folder", async () => {
    const moved = await world.call("execute_command", {
      command: "git mv tracked other && git status --short -uno",
    });
    expect(moved, moved.text).toMatchObject({ ok: true, value: { exitCode: 0 } });
    expect(moved.text).toContain("R  tracked/x -> other/x");
    expect([has("tracked"), read("other/x")]).toEqual([false, "x"]);
  }, 60_000);

  it("programs rename the folders that they name, and hidden files stay where they are", async () => {
    const code = 'import os\nos.rename("src/deep", "deep")\nos.rename("src", "lib")';
    const result = await world.call("run_code", { language: "python", code });
    expect(result, result.text).toMatchObject({ ok: true, value: { exitCode: 0 } });
    expect([read("deep/a.txt"), read("src/.env"), has("lib/.env")]).toEqual(["one", "KEY=1", false]);
    await world.runtime.undo();
    expect([read("src/deep/a.txt"), has("deep")]).toEqual(["one", false]);
  }, 60_000);

  it("a swap is recognized, and what was not touched is not recorded", async () => {
    const code = 'import os\nos.rename("p/a", "p/t")\nos.rename("p/b", "p/a")\nos.rename("p/t", "p/b")';
    const result = await world.call("run_code", { language: "python", code });
    expect([result.ok, result.warnings], result.text).toEqual([true, []]);
    expect([read("p/a/m"), read("p/b/m")]).toEqual(["B", "A"]);
    const failing = await world.call("run_code", {
      language: "python",
      code: 'import os, sys\ntry: os.rename("src", "new")\nexcept OSError as error: sys.exit(str(error))\nos.rename("new", "src")',
    });
    expect(failing, failing.text).toMatchObject({ ok: true, value: { exitCode: 0, filesChanged: [] } });
  }, 60_000);

  it("a link in the workspace leads neither the copy nor its removal outside", async () => {
    mkdirSync(join(world.root, "outside/kept"), { recursive: true });
    writeFileSync(join(world.root, "outside/kept/file"), "OUTSIDE");
    symlinkSync(join(world.root, "outside"), join(world.workspace, "link"));
    const code =
      'import os, sys\ntry: os.rename("p", "q")\nexcept OSError as error: sys.exit(f"{error} link/kept link")';
    const result = await world.call("run_code", { language: "python", code });
    expect(result, result.text).toMatchObject({ ok: true, value: { exitCode: 0 } });
    expect(readFileSync(join(world.root, "outside/kept/file"), "utf8")).toBe("OUTSIDE");
    expect([has("p"), has("q/a/m"), JSON.stringify(result).includes("OUTSIDE")]).toEqual([
      false,
      true,
      false,
    ]);
  }, 60_000);

  it.each(["linked", "closed"])(
    "what a rule closes, or is another name of a secret, is not found in a renamed folder: %s",
    async (folder) => {
      if (folder === "linked")
        linkSync(join(world.workspace, "linked/.env"), join(world.workspace, "linked/notes"));
      const names = readdirSync(join(world.workspace, folder));
      const code = `import os\nos.rename("${folder}", "${folder}2")`;
      const result = await world.call("run_code", { language: "python", code });
      expect(result, result.text).toMatchObject({ ok: true, value: { exitCode: 0 } });
      expect(JSON.stringify(result)).not.toContain("HIDDEN");
      expect(readdirSync(join(world.workspace, `${folder}2`))).toEqual(["x"]);
      await world.runtime.undo();
      expect([readdirSync(join(world.workspace, folder)), has(`${folder}2`)]).toEqual([names, false]);
    },
    60_000,
  );

  it("the name under which a folder is copied is one that nothing has", async () => {
    mkdirSync(join(world.root, "home"));
    symlinkSync(join(world.root, "home"), join(world.workspace, ".haft-lifted"));
    const code = 'import os\nos.rename("away", "gone")\nos.rename("n/from", "n/to")';
    const result = await world.call("run_code", { language: "python", code });
    expect(result, result.text).toMatchObject({ ok: true, value: { exitCode: 0 } });
    expect(readdirSync(join(world.root, "home"))).toEqual([]);
    const left = readdirSync(join(world.workspace, "n"), { recursive: true });
    expect([left.sort(), read("gone/x")]).toEqual([[".haft-lifted", ".haft-lifted/kept", "to", "to/x"], "x"]);
  }, 60_000);

  it("a folder that holds a file whose name is not UTF-8 is renamed", async () => {
    mkdirSync(join(world.workspace, "odd"));
    writeFileSync(Buffer.from(`${world.workspace}/odd/\xff`, "latin1"), "");
    writeFileSync(join(world.workspace, "odd/x"), "x");
    const result = await world.call("run_code", {
      language: "python",
      code: 'import os\nos.rename("odd", "even")',
    });
    expect(result, result.text).toMatchObject({ ok: true, value: { exitCode: 0 } });
    expect(read("even/x")).toBe("x");
  }, 60_000);

  it("a folder with a blank in its name is renamed", async () => {
    const code = 'import os\nos.rename("sp ace", "s p")';
    const result = await world.call("run_code", { language: "python", code });
    expect(result, result.text).toMatchObject({ ok: true, value: { exitCode: 0 } });
    expect(read("s p/x")).toBe("x");
  }, 60_000);

  it("a command that names no folder says what to do", async () => {
    const code = 'import os\nos.rename("".join(["s", "r", "c"]), "n")';
    const hidden = `${code.replace("os.rename", "rename = os.rename\ntry: rename")}\nexcept OSError: raise SystemExit("EXDEV")`;
    const result = await world.call("run_code", { language: "python", code: hidden });
    expect(result.text).toContain("use `mv`, which copies");
    expect(has("src")).toBe(true);
  }, 60_000);
});
