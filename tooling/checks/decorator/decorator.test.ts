import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import swc from "@swc/core";
import { transform } from "esbuild";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { assertBuilt } from "../built.js";
import { ROOT } from "../source-files.js";

const FIXTURE = fileURLToPath(new URL("./word-count-tool.fixture.ts", import.meta.url));
const PROGRAMS = join(ROOT, "tooling/node_modules");
const RESULT = '{"words":3}';

// Without this setting, vitest 4 leaves decorators in place, and Node does not support them.
const EXPERIMENTAL = '{ "compilerOptions": { "experimentalDecorators": true } }';

let folder: string;
beforeAll(() => {
  assertBuilt("core");
  folder = mkdtempSync(join(tmpdir(), "haft-decorator-"));
  symlinkSync(PROGRAMS, join(folder, "node_modules"));
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  cpSync(FIXTURE, join(folder, "tool.ts"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// Compiles and runs the class of docs/writing-tools.md with each compiler, with only the settings that the page names.
describe("FP3 @tool on a class", () => {
  it.each([
    { kind: "standard decorators", flags: [] },
    { kind: "experimentalDecorators", flags: ["--experimentalDecorators"] },
  ])("compiles with tsc --strict, $kind", async ({ flags }) => {
    const out = join(folder, `tsc-${flags.length}`);
    const options = ["--strict", "--module", "nodenext", "--target", "es2022", "--types", ""];
    await run(join(PROGRAMS, "@typescript/native/bin/tsc"), [
      "tool.ts",
      ...options,
      ...flags,
      "--outDir",
      out,
    ]);
    expect(await runFile(join(out, "tool.js"))).toBe(RESULT);
  });

  it("runs in tsx", async () => {
    expect(await run(join(PROGRAMS, "tsx/dist/cli.mjs"), ["tool.ts"])).toBe(RESULT);
  });

  it("runs in vitest", async () => {
    mkdirSync(join(folder, "vitest"));
    cpSync(FIXTURE, join(folder, "vitest/tool.ts"));
    writeFileSync(
      join(folder, "vitest/tool.test.ts"),
      'import { it } from "vitest";\nit("runs", () => import("./tool.ts"));\n',
    );
    writeFileSync(join(folder, "vitest/tsconfig.json"), EXPERIMENTAL);
    mkdirSync(join(folder, "vitest/node_modules/"));
    for (const name of ["vitest", "@haft"])
      symlinkSync(
        join(name === "vitest" ? join(ROOT, "node_modules") : PROGRAMS, name),
        join(folder, "vitest/node_modules", name),
      );
    const vitest = join(ROOT, "node_modules/vitest/vitest.mjs");
    expect(await run(vitest, ["run", "--root", join(folder, "vitest"), "--reporter", "verbose"])).toContain(
      RESULT,
    );
  });

  it("runs after esbuild compiled it for Node", async () => {
    const { code } = await transform(await source(), { loader: "ts", target: "node20", format: "esm" });
    expect(await runCode("esbuild.mjs", code)).toBe(RESULT);
  });

  it("runs after swc compiled it", async () => {
    const { code } = await swc.transform(await source(), {
      filename: "tool.ts",
      swcrc: false,
      jsc: { parser: { syntax: "typescript", decorators: true }, target: "es2022" },
    });
    expect(await runCode("swc.mjs", code)).toBe(RESULT);
  });
});

async function source(): Promise<string> {
  const { readFile } = await import("node:fs/promises");
  return readFile(FIXTURE, "utf8");
}

function runCode(name: string, code: string): Promise<string> {
  writeFileSync(join(folder, name), code);
  return runFile(join(folder, name));
}

function runFile(file: string): Promise<string> {
  return run(file, []);
}

async function run(program: string, args: readonly string[]): Promise<string> {
  const started = execa(process.execPath, [program, ...args], { cwd: folder, timeout: 60_000 });
  const { stdout } = await started.catch((error: { stdout: string; stderr: string }) => {
    throw new Error(`${error.stdout}${error.stderr}`);
  });
  return stdout.trim();
}
