import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openExecWorld } from "../exec.fixture.js";
import { ExecuteCommand } from "../execute-command/execute-command-tool.js";
import { treeOf } from "../execute-command/undo-commands.fixture.js";
import { RunCode } from "./run-code-tool.js";

const noBox = process.platform !== "linux" || !existsSync("/usr/bin/bwrap");

it.skipIf(noBox)("FE13 a folder renamed in the box shows none of its hidden files", async () => {
  await using world = await openExecWorld(
    { "private/k.txt": "PRIVATE DATA", "private/open.txt": "open", ".config/gh/hosts.yml": "TOKEN" },
    {
      tools: [RunCode],
      paths: { sensitive: ["private/k.txt"] },
      approver: async () => ({ approved: true }),
    },
  );
  const code = [
    "mv private p2; mv .config c2",
    'python3 -c \'import os; os.rename("private", "p3")\'',
    "cp -r private p4; ln -s private p5; cat p*/* c2/*/*",
  ].join("\n");
  const result = await world.call("run_code", { language: "bash", code });
  expect(result.ok, result.text).toBe(true);
  for (const folder of ["p2", "p3", "p4", "c2/gh"])
    for (const name of ["k.txt", "hosts.yml"])
      expect(existsSync(join(world.workspace, folder, name)), `${folder}/${name}`).toBe(false);
  expect(JSON.stringify(result)).not.toMatch(/PRIVATE DATA|TOKEN/);
});

const RENAME = 'import os\nfor pair in PAIRS: os.rename(*pair.split(":"))\n';

it.skipIf(noBox)(
  "FE20 programs can rename folders of the workspace themselves, and undo reverts it",
  async () => {
    await using world = await openExecWorld(
      { ".env": "KEY=1", "src/deep/a.txt": "one", "src/b.txt": "two", "lib/c.txt": "three" },
      { tools: [RunCode], approver: async () => ({ approved: true }) },
    );
    const code = RENAME.replace("PAIRS", '["src:lib2", "lib:src", "lib2/deep:src/deep"]');
    const result = await world.call("run_code", { language: "python", code });
    expect([result.ok, result.warnings], result.text).toEqual([true, []]);
    const files = () => readdirSync(world.workspace, { recursive: true }).sort();
    expect(files()).toEqual([".env", "lib2", "lib2/b.txt", "src", "src/c.txt", "src/deep", "src/deep/a.txt"]);
    await world.runtime.undo();
    expect(files()).toEqual([".env", "lib", "lib/c.txt", "src", "src/b.txt", "src/deep", "src/deep/a.txt"]);
  },
);

it.skipIf(noBox)(
  "FE20 commands can rename folders: git mv, and a script beside installed packages and build output",
  async () => {
    await using world = await openExecWorld(
      {
        ".gitignore": "node_modules\nout\n",
        "node_modules/tiny/index.js": "module.exports = 'tiny';\n",
        "out/kept.txt": "built",
        "src/a.txt": "one",
        "move.js":
          "require('node:fs').renameSync('src', 'lib'); console.log(require('tiny'), require('node:fs').readdirSync('out'));\n",
      },
      {
        tools: [ExecuteCommand],
        approver: async () => ({ approved: true }),
        commands: { onUnlisted: "box" },
      },
    );
    const git = (...args: string[]) =>
      spawnSync("git", ["-c", "user.name=T", "-c", "user.email=t@example.com", ...args], {
        cwd: world.workspace,
        encoding: "utf8",
      }).stdout;
    for (const args of [
      ["init", "-q"],
      ["add", "."],
      ["commit", "-qm", "First"],
    ])
      git(...args);
    const moved = await world.call("execute_command", { command: "git mv src source && git status --short" });
    expect(moved, moved.text).toMatchObject({ ok: true, value: { exitCode: 0 } });
    expect(moved.text).toContain("R  src/a.txt -> source/a.txt");
    expect(git("status", "--short")).toBe("R  src/a.txt -> source/a.txt\n");
    expect(git("mv", "source", "src")).toBe("");
    const script = await world.call("execute_command", { command: "node move.js" });
    expect(script, script.text).toMatchObject({
      ok: true,
      value: { exitCode: 0, stdout: "tiny [ 'kept.txt' ]\n" },
    });
    const files = readdirSync(world.workspace, { recursive: true }).filter(
      (name) => !String(name).startsWith(".git"),
    );
    expect(files.sort()).toEqual([
      "lib",
      "lib/a.txt",
      "move.js",
      "node_modules",
      "node_modules/tiny",
      "node_modules/tiny/index.js",
      "out",
      "out/kept.txt",
    ]);
  },
);

it.skipIf(noBox)("FE13 a program that renames a folder with hidden files moves none of them", async () => {
  await using world = await openExecWorld(
    { "private/k.txt": "PRIVATE DATA", "private/open.txt": "open", "src/.env": "KEY=1", "src/a.txt": "one" },
    { tools: [RunCode], paths: { sensitive: ["private/k.txt"] }, approver: async () => ({ approved: true }) },
  );
  const code = RENAME.replace("PAIRS", '["private:p3", "src:lib"]');
  const result = await world.call("run_code", { language: "python", code });
  expect(result.ok, result.text).toBe(true);
  expect(result.warnings?.join("\n")).toContain("it holds private/k.txt, so it was not deleted");
  const read = (path: string) => readFileSync(join(world.workspace, path), "utf8");
  expect([read("private/k.txt"), read("src/.env"), read("p3/open.txt"), read("lib/a.txt")]).toEqual([
    "PRIVATE DATA",
    "KEY=1",
    "open",
    "one",
  ]);
  for (const path of ["p3/k.txt", "lib/.env"])
    expect(existsSync(join(world.workspace, path)), path).toBe(false);
  expect(JSON.stringify(result)).not.toMatch(/PRIVATE DATA|KEY=1/);
});

it.skipIf(noBox).each([
  ["mv", "bash", "mv p/a p/t && mv p/b p/a && mv p/t p/b"],
  ["rename", "python", RENAME.replace("PAIRS", '["p/a:p/t", "p/b:p/a", "p/t:p/b"]')],
] as const)("FE20 distinguishes similar folders after a swap (%s)", async (_title, language, code) => {
  const files = { "p/a/src/m": "A\n", "p/b/src/m": "B\n" };
  await using world = await openExecWorld(files, {
    tools: [RunCode],
    approver: async () => ({ approved: true }),
  });
  const moment = new Date(1_700_000_000_000);
  for (const folder of ["p/a/src", "p/b/src", "p/a", "p/b"])
    utimesSync(join(world.workspace, folder), moment, moment);
  const result = await world.call("run_code", { language, code });
  expect([result.ok, result.warnings], result.text).toEqual([true, []]);
  const read = (path: string) => readFileSync(join(world.workspace, path), "utf8");
  expect([read("p/a/src/m"), read("p/b/src/m")]).toEqual(["B\n", "A\n"]);
});

it.skipIf(noBox)("FE20 a folder is renamed even if the script continues and succeeds", async () => {
  await using world = await openExecWorld({ "src/a.txt": "one" }, { tools: [RunCode] });
  const rename = RENAME.replace("PAIRS", '["src:lib"]');
  const result = await world.call("run_code", {
    language: "bash",
    code: `python3 - <<'E'\n${rename}E\necho renamed; ls`,
  });
  expect(result, result.text).toMatchObject({
    ok: true,
    value: { exitCode: 0, stdout: "renamed\nlib\n", stderr: "" },
  });
  expect(readdirSync(world.workspace)).toEqual(["lib"]);
});

it.skipIf(noBox).each([
  ["a file", "mv src/a.txt node_modules/"],
  ["a file over another", "mv src/a.txt node_modules/p/index.js"],
  ["a folder", "mv src node_modules/p/"],
  ["a link", "mv link node_modules/"],
  ["a file, by a program", 'python3 -c \'import shutil; shutil.move("src/a.txt", "node_modules/x.txt")\''],
])("FE20 %s that a command moves into installed packages is not lost", async (_title, command) => {
  const files = { "src/a.txt": "one", "node_modules/p/index.js": "1", "old.txt": "old" };
  await using world = await openExecWorld(files, {
    tools: [ExecuteCommand],
    approver: async () => ({ approved: true }),
    commands: { onUnlisted: "box" },
  });
  symlinkSync("src", join(world.workspace, "link"));
  const before = treeOf(world.workspace);
  const result = await world.call("execute_command", { command });
  expect(result.text).toContain("only commands that install packages change it");
  expect(treeOf(world.workspace)).toEqual(before);
  const other = await world.call("execute_command", {
    command: "echo cached > node_modules/p/cache; rm old.txt",
  });
  expect([other.warnings, existsSync(join(world.workspace, "old.txt"))]).toEqual([[], false]);
});
