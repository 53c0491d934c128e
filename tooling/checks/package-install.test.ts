import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { assertBuilt } from "./built.js";
import { ROOT } from "./source-files.js";

const INSTALLED = ["text", "core", "runtime-node", "tool-fs"];

const PROGRAM = `
import "@haft/tool-fs";
import { createNodeRuntime } from "@haft/runtime-node";
const runtime = await createNodeRuntime({ workspace: ".", role: "reader" });
const result = await runtime.call("read_file", { path: "hello.txt" });
await runtime.dispose();
console.log(JSON.stringify(result.value?.content ?? result));
`;

// What a user gets: tarballs in an empty project, outside this repository.
describe("only what is needed is installed", () => {
  let project: string;

  beforeAll(() => {
    for (const name of INSTALLED) assertBuilt(name);
    project = mkdtempSync(join(tmpdir(), "haft-install-"));
    const tarballs = INSTALLED.map((name) => pack(name, project));
    writeFileSync(
      join(project, "package.json"),
      JSON.stringify({ name: "consumer", private: true, type: "module" }),
    );
    execFileSync("npm", ["install", "--no-audit", "--no-fund", "--prefer-offline", ...tarballs], {
      cwd: project,
      stdio: "pipe",
    });
  }, 180_000);
  afterAll(() => rmSync(project, { recursive: true, force: true }));

  it("reads a file with core, runtime-node and tool-fs", () => {
    writeFileSync(join(project, "hello.txt"), "hello\n");
    writeFileSync(join(project, "main.js"), PROGRAM);
    expect(
      execFileSync(process.execPath, ["main.js"], {
        cwd: project,
        encoding: "utf8",
        env: { ...process.env, XDG_STATE_HOME: join(project, "state") },
      }),
    ).toBe('"hello\\n"\n');
  });

  it("has nothing of any other pack on disk", () => {
    expect(readdirSync(join(project, "node_modules/@haft")).sort()).toEqual([...INSTALLED].sort());
    for (const heavy of ["re2js", "unbash", "turndown", "unpdf", "@modelcontextprotocol", "vitest"]) {
      expect(existsSync(join(project, "node_modules", heavy)), heavy).toBe(false);
    }
  });

  it("ships no tests, no build information and no workspace protocol", () => {
    for (const name of INSTALLED) {
      const folder = join(project, "node_modules/@haft", name);
      const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
      expect(files.filter((file) => /\.test\.|tsbuildinfo|fixtures/.test(file))).toEqual([]);
      expect(readFileSync(join(folder, "package.json"), "utf8")).not.toContain("workspace:");
    }
  });
});

function pack(name: string, destination: string): string {
  const output = execFileSync("pnpm", ["pack", "--pack-destination", destination], {
    cwd: join(ROOT, "packages", name),
    encoding: "utf8",
  });
  const tarball = output.trim().split("\n").at(-1) ?? "";
  return tarball.startsWith("/") ? tarball : join(destination, tarball);
}
