import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openExecWorld } from "../exec.fixture.js";
import { ExecuteCommand } from "./execute-command-tool.js";

const noBox = process.platform !== "linux" || !existsSync("/usr/bin/bwrap");
const BY_NODE =
  "fs.rmSync('dist', { recursive: true }); fs.mkdirSync('dist'); fs.writeFileSync('dist/new.js', '')";

/** Each removes build output and makes it anew. */
const BUILDS = {
  shell: "rm -rf dist && mkdir dist && touch dist/new.js",
  node: `node -e "${BY_NODE}"`,
  rename: "mv dist dist.old && mkdir dist && touch dist/new.js && rm -r dist.old",
};
const FILES = Object.fromEntries(Object.entries(BUILDS).map(([name, text]) => [`tools/${name}.sh`, text]));
/** The words of a command and of package scripts tell what is removed; a file that they run is not read. */
const IN_FILES = Object.fromEntries(
  Object.keys(BUILDS).map((name) => [`file:${name}`, `sh tools/${name}.sh`]),
);
const scripts = { ...BUILDS, ...IN_FILES };

async function openProject(more: Readonly<Record<string, string>> = {}) {
  const files = {
    ".git/HEAD": "ref: refs/heads/main\n",
    ".gitignore": "dist/\ncache/\nnode_modules/\n",
    "package.json": JSON.stringify({ name: "p", version: "1.0.0", scripts: { ...scripts, ...more } }),
    "dist/deep/old.js": "old",
    "cache/kept": "kept",
    ...FILES,
    "node_modules/q/package.json": "{}",
  };
  const world = await openExecWorld(files, {
    tools: [ExecuteCommand],
    commands: { onUnlisted: "box" },
    approver: async () => ({ approved: true }),
  });
  spawnSync("git", ["init", "-q"], { cwd: world.workspace });
  return world;
}

describe.skipIf(noBox)("a command that a shell reports on", () => {
  it("FE20 a script whose program is missing ends with 127 and its output", async () => {
    await using world = await openProject({ test: "absent-program run" });
    const result = await world.call("execute_command", { command: "npm run test", timeout: 60 });
    expect(result, result.text).toMatchObject({ ok: true, value: { exitCode: 127 } });
    expect(result.text).toContain("absent-program");
    const own = await world.call("execute_command", { command: "absent-program run" });
    expect(own).toMatchObject({ ok: false, error: { code: "EXECUTION_ERROR" } });
    expect(own.text).toContain('There is no program called "absent-program"');
  }, 60_000);

  it("FE1 that is stopped names the shared folders whose changes stay", async () => {
    await using world = await openProject({ slow: "echo new > cache/kept && sleep 30" });
    const result = await world.call("execute_command", { command: "npm run slow", timeout: 4 });
    expect(result).toMatchObject({ ok: false, error: { code: "TIMEOUT" } });
    expect(result.text).toMatch(/None of its file changes were kept, except in [^,]*cache/);
  }, 60_000);
});

describe.skipIf(noBox)("build output that a listed command removes", () => {
  it.each(Object.keys(IN_FILES))(
    "FE20 can be replaced, again and again (%s)",
    async (name) => {
      await using world = await openProject();
      const run = () => world.call("execute_command", { command: `npm run ${name}`, timeout: 60 });
      const first = await run();
      expect(first, first.text).toMatchObject({ ok: true, value: { exitCode: 0, passedThrough: ["cache"] } });
      expect(first.text).toContain("dist: removed or renamed by the command");
      expect(readdirSync(join(world.workspace, "dist"))).toEqual(["new.js"]);
      const second = await run();
      expect(second, second.text).toMatchObject({ ok: true, value: { exitCode: 0 } });
      expect(second.text).not.toContain("removed or renamed");
      expect(readdirSync(world.workspace)).not.toContain("dist.old");
    },
    60_000,
  );

  it.each(Object.keys(BUILDS))(
    "FE20 is old or new if its words say that it is removed: replaced in one run, which undo covers (%s)",
    async (name) => {
      await using world = await openProject();
      const result = await world.call("execute_command", { command: `npm run ${name}`, timeout: 60 });
      expect(result, result.text).toMatchObject({
        ok: true,
        value: { exitCode: 0, passedThrough: ["cache"] },
      });
      expect(result.text).not.toContain("removed or renamed");
      expect(readdirSync(join(world.workspace, "dist"))).toEqual(["new.js"]);
      await world.runtime.undo();
      expect(readdirSync(join(world.workspace, "dist/deep"))).toEqual(["old.js"]);
    },
    60_000,
  );

  it.each([
    ["a few files", "touch dist/new.js"],
    ["more bytes than one run records", "head -c 25000000 /dev/zero > dist/new.js"],
    ["more files than one run records", "(cd dist && seq 2100 | xargs touch)"],
  ])(
    "FE20 is old if the command that rebuilds it is stopped or cancelled (%s)",
    async (_title, build) => {
      await using world = await openProject({ slow: `rm -rf dist && mkdir dist && ${build} && sleep 50` });
      const old = () => expect(readFileSync(join(world.workspace, "dist/deep/old.js"), "utf8")).toBe("old");
      for (const command of [
        "npm run slow",
        `rm -rf ./dis* && mkdir dist && ${build} && sleep 50 && npm test`,
      ]) {
        const stopped = await world.call("execute_command", { command, timeout: 3 });
        expect(stopped).toMatchObject({ ok: false, error: { code: "TIMEOUT" } });
        old();
        const life = new AbortController();
        const running = world.runtime.call(
          "execute_command",
          { command, timeout: 60 },
          { signal: life.signal },
        );
        setTimeout(() => life.abort(), 2_000);
        expect(await running).toMatchObject({ ok: false });
        old();
      }
    },
    60_000,
  );

  it("FE20 can be larger than one run records: nothing is lost, and the rest is recorded", async () => {
    await using world = await openProject({
      large:
        "rm -rf dist && mkdir -p dist/deep && head -c 25000000 /dev/zero > dist/deep/new.js && ln -s deep dist/link && echo built > log.txt",
      many: "rm -rf dist && mkdir dist && cd dist && seq 2100 | xargs touch",
      failing: "rm -rf dist && mkdir dist && head -c 25000000 /dev/zero > dist/half.js && exit 3",
    });
    const run = (name: string) => world.call("execute_command", { command: `npm run ${name}`, timeout: 60 });
    const large = await run("large");
    const passedThrough = expect.arrayContaining(["dist"]);
    expect(large, large.text).toMatchObject({ ok: true, value: { exitCode: 0, passedThrough } });
    expect(statSync(join(world.workspace, "dist/link/new.js")).size).toBe(25_000_000);
    expect(readdirSync(join(world.workspace, "dist"))).toEqual(["deep", "link"]);
    expect(existsSync(join(world.workspace, "log.txt"))).toBe(true);
    await world.runtime.undo();
    expect(existsSync(join(world.workspace, "log.txt"))).toBe(false);
    const many = await run("many");
    expect(many.warnings, many.text).toEqual([]);
    expect(readdirSync(join(world.workspace, "dist"))).toHaveLength(2100);
    const failing = await run("failing");
    expect(failing, failing.text).toMatchObject({ ok: true, value: { exitCode: 3 } });
    expect(readdirSync(join(world.workspace, "dist"))).toEqual(["half.js"]);
    expect(readdirSync(world.workspace).filter((name) => name.includes(".haft-"))).toEqual([]);
  }, 120_000);

  it("FE20 replaces installed packages in one line", async () => {
    await using world = await openProject();
    world.write("node_modules/.hidden/x", "1");
    const command = "rm -rf ./node_modules/ && npm install";
    const result = await world.call("execute_command", { command, timeout: 60 });
    expect(result, result.text).toMatchObject({ ok: true, value: { exitCode: 0 } });
    expect(existsSync(join(world.workspace, "node_modules/q"))).toBe(false);
    expect(existsSync(join(world.workspace, "node_modules/.hidden"))).toBe(false);
  }, 60_000);

  it.each([
    "rm -rf packages/*/node_modules && npm install && ls -A packages/a",
    "mkdir packages/b && ln -s ../../node_modules packages/b/node_modules && rm -rf packages/b/node_modules && npm install && ls -A packages/b",
  ])(
    "FE20 does not empty installed packages behind a removed link: %s",
    async (command) => {
      await using world = await openProject();
      // npm itself does not touch a hidden folder.
      world.write("node_modules/.kept/x", "1");
      mkdirSync(join(world.workspace, "packages/a"), { recursive: true });
      symlinkSync("../../node_modules", join(world.workspace, "packages/a/node_modules"));
      const result = await world.call("execute_command", { command, timeout: 60 });
      const passedThrough = expect.arrayContaining(["node_modules"]);
      const stdout = expect.not.stringContaining("node_modules");
      expect(result, result.text).toMatchObject({ ok: true, value: { exitCode: 0, passedThrough, stdout } });
      expect(existsSync(join(world.workspace, "node_modules/.kept/x"))).toBe(true);
    },
    60_000,
  );

  it("FE20 reports that a line with git in it did not delete installed packages", async () => {
    await using world = await openProject();
    const command = "git status --short && rm -rf node_modules";
    const result = await world.call("execute_command", { command, timeout: 60 });
    expect(result.text).toContain("node_modules was not deleted");
    expect(existsSync(join(world.workspace, "node_modules/q"))).toBe(true);
  }, 60_000);

  it("FE20 reports that installed packages were not deleted", async () => {
    await using world = await openProject();
    const result = await world.call("execute_command", { command: "rm -rf node_modules", timeout: 60 });
    expect(result.text).toContain("node_modules was not deleted");
    expect(existsSync(join(world.workspace, "node_modules/q"))).toBe(true);
  }, 60_000);

  it("FE20 explains how to replace installed packages if a program removes them", async () => {
    await using world = await openProject();
    const command = `node -e "fs.rmSync('node_modules', { recursive: true })" && npm install`;
    const result = await world.call("execute_command", { command, timeout: 60 });
    expect(result.text).toContain("node_modules is shared with the workspace");
    expect(result.text).toContain("install in a call of its own, or use npm ci");
  }, 60_000);
});
