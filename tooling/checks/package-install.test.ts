import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
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

/** Every strictness option of the compiler, also for the declarations of the packages. */
const STRICTEST = {
  strict: true,
  allowUnreachableCode: false,
  allowUnusedLabels: false,
  erasableSyntaxOnly: true,
  exactOptionalPropertyTypes: true,
  isolatedModules: true,
  noFallthroughCasesInSwitch: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  noPropertyAccessFromIndexSignature: true,
  noUncheckedIndexedAccess: true,
  noUncheckedSideEffectImports: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  skipLibCheck: false,
  verbatimModuleSyntax: true,
};

/** The tools that the pages teach: a pure one, one that changes files, and one that uses a service. */
const TAUGHT = [
  { page: "docs/writing-tools.md", name: "pure-tool", kind: "pure" },
  { page: "README.md", name: "own-tool", kind: "file-changing" },
  { page: "docs/guides/services.md", name: "service-tool", kind: "service-using" },
].map((tool) => ({ ...tool, ...programOf(tool) }));

// Installs tarballs in an empty project outside this repository, as a user would.
describe("a minimal installation", () => {
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
    for (const heavy of ["unbash", "turndown", "unpdf", "@modelcontextprotocol", "vitest"]) {
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

  describe("FP3 in a strict TypeScript project", () => {
    beforeAll(() => {
      const types = realpathSync(join(ROOT, "node_modules/@types/node"));
      copyPackage(realpathSync(join(ROOT, "tooling/node_modules/zod")), "zod");
      copyPackage(types, "@types/node");
      copyPackage(join(types, "../../undici-types"), "undici-types");
      mkdirSync(join(project, "src"));
      for (const { name, code } of TAUGHT) writeFileSync(join(project, "src", `${name}.ts`), code);
    });

    function copyPackage(from: string, name: string): void {
      cpSync(from, join(project, "node_modules", name), { recursive: true, dereference: true });
    }

    it.each(TAUGHT)("a $kind tool needs no cast and no comment that silences the compiler", ({ code }) => {
      expect(code).toContain("defineTool(");
      expect(code.replaceAll(/"[^"]*"|\/\/.*$/gm, "")).not.toMatch(/\bas\b|\bany\b|<\w+>\(?\w+\)|\w!/);
      expect(code).not.toMatch(/@ts-|biome-ignore|eslint-disable/);
    });

    it.each([
      { compiler: "typescript/bin/tsc6", module: "nodenext" },
      { compiler: "@typescript/native/bin/tsc", module: "preserve" },
    ])("$compiler compiles the three with module $module", { timeout: 180_000 }, ({ compiler, module }) => {
      const output = { target: "es2022", rootDir: "src", outDir: "out", types: ["node"] };
      const compilerOptions = { ...STRICTEST, ...output, module };
      writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["src"] }));
      expect(runIn(project, [join(ROOT, "tooling/node_modules", compiler), "-p", "."])).toBe("");
    });

    it.each(TAUGHT)("$name prints what $page shows", { timeout: 60_000 }, ({ name, output }) => {
      writeFileSync(join(project, "data.json"), '{"b":1,"a":2}\n');
      expect(runIn(project, [`out/${name}.js`])).toBe(output);
    });
  });
});

function programOf({ page, name }: { readonly page: string; readonly name: string }) {
  const text = readFileSync(join(ROOT, page), "utf8");
  const program = new RegExp(
    `<!-- snippet: ${name} -->\n\`\`\`ts\n([\\s\\S]*?)\`\`\`\n\`\`\`text\n([\\s\\S]*?)\`\`\``,
  );
  const [, code = "", output = ""] = program.exec(text) ?? [];
  return { code, output };
}

function runIn(project: string, args: readonly string[]): string {
  const env = { ...process.env, XDG_STATE_HOME: join(project, "state"), NO_COLOR: "1" };
  try {
    return execFileSync(process.execPath, args, { cwd: project, encoding: "utf8", env });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    return `${stdout}${stderr}`;
  }
}

function pack(name: string, destination: string): string {
  const output = execFileSync("pnpm", ["pack", "--pack-destination", destination], {
    cwd: join(ROOT, "packages", name),
    encoding: "utf8",
  });
  const tarball = output.trim().split("\n").at(-1) ?? "";
  return tarball.startsWith("/") ? tarball : join(destination, tarball);
}
