import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { transformSync } from "esbuild";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { describeUnless } from "../testing/describe-unless.js";
import { noPostgres, type PostgresServer, startPostgres } from "../testing/start-postgres.js";
import { assertBuilt } from "./built.js";
import { entriesOf, exportedNames, packageNames, ROOT } from "./source-files.js";

const TEXT_PAGE = "packages/text/README.md";
const PAGES = ["README.md", ...sitePages(), ...packagePages()];
const SNIPPET =
  /<!-- snippet: ([\w-]+) -->\n```ts\n([\s\S]*?)```\n(?:```text\n([\s\S]*?)```|<!-- prints nothing -->)/g;

const snippets = PAGES.flatMap((page) => {
  const text = readFileSync(join(ROOT, page), "utf8");
  return [...text.matchAll(SNIPPET)].map(([, name = "", code = "", output = ""]) => ({
    page,
    name,
    code,
    output,
  }));
});

/** JavaScript that a page asks the reader to save. followed-pages.test.ts runs it. */
const javaScript = PAGES.flatMap((page, index) =>
  [...readFileSync(join(ROOT, page), "utf8").matchAll(/```js \[(\S+)\]\n([\s\S]*?)```/g)].map(
    ([, name = "", code = ""]) => ({ name: `page-${index}/${name}`, code }),
  ),
);

/** Programs that need a server or a test runner are run below; a test of @haft/workspace-ssh runs its own over SSH. */
const alone = snippets.filter(
  ({ name }) => !/^(?:team-.*|contract-test|store-contracts|ssh-workspace)$/.test(name),
);

/** Options that strict projects often add to --strict. */
const BEYOND_STRICT = {
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noImplicitOverride: true,
  verbatimModuleSyntax: true,
};

let folder: string;
beforeAll(() => {
  assertBuilt("runtime-node");
  // Runs inside a package whose dependencies are those of the snippets.
  const cache = join(ROOT, "docs/node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  folder = mkdtempSync(join(cache, "snippets-"));
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  for (const { name, code } of snippets) writeFileSync(join(folder, `${name}.ts`), code);
  writeFileSync(join(folder, "text.ts"), textProgram());
  writeStandIns();
  for (const { name, code } of javaScript) {
    mkdirSync(join(folder, name, ".."), { recursive: true });
    writeFileSync(join(folder, name), code);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// Compiles and runs every program of these pages unchanged, and compares its output with the page.
describe("FP2 snippets", () => {
  it.each(PAGES)("of %s are all marked, so that none is skipped", (page) => {
    const programs = readFileSync(join(ROOT, page), "utf8").match(/```(?:js|ts|javascript|typescript)\n/g);
    expect(programs ?? []).toHaveLength(snippets.filter((snippet) => snippet.page === page).length);
  });

  it.each([
    { project: "--strict", options: { module: "nodenext", checkJs: true } },
    { project: "--strict and the checks beyond it", options: { module: "nodenext", ...BEYOND_STRICT } },
    {
      project: "the same checks, for a bundler",
      options: { module: "esnext", moduleResolution: "bundler", ...BEYOND_STRICT },
    },
  ])("compile with tsc: $project", { timeout: 60_000 }, ({ options }) => {
    const compilerOptions = {
      strict: true,
      target: "es2022",
      noEmit: true,
      // The declarations of @ai-sdk/provider import types that it does not install; the package checks cover our own
      // declarations.
      skipLibCheck: true,
      types: ["node"],
      typeRoots: [join(ROOT, "node_modules/@types")],
      ...options,
    };
    writeFileSync(
      join(folder, "tsconfig.json"),
      JSON.stringify({ compilerOptions, include: ["*.ts", "page-*/*.mjs"] }),
    );
    const tsc = join(ROOT, "tooling/node_modules/@typescript/native/bin/tsc");
    expect(run([tsc, "-p", "tsconfig.json"], folder)).toBe("");
  });

  it.each(alone)("$page: $name prints what the page shows", { timeout: 90_000 }, ({ name, code, output }) => {
    const workspace = join(folder, `${name}-workspace`);
    mkdirSync(workspace);
    writeFileSync(join(workspace, "hello.txt"), "hello\n");
    writeFileSync(join(workspace, "data.json"), '{"b":1,"a":2}\n');
    const { code: program } = transformSync(code, { loader: "ts", target: "node20", format: "esm" });
    writeFileSync(join(folder, `${name}.mjs`), program);
    expect(run([`../${name}.mjs`], workspace)).toBe(output);
    expect(readFileSync(join(workspace, "data.json"), "utf8")).toBe('{"b":1,"a":2}\n');
  });
});

/** Replaces imports that the pages do not install here: Mastra, which is 132 MB, and the tool of another page. */
function writeStandIns(): void {
  const mastra = join(folder, "node_modules/@mastra/core");
  mkdirSync(mastra, { recursive: true });
  writeFileSync(join(mastra, "package.json"), '{"type":"module","exports":{"./tools":"./tools.js"}}');
  writeFileSync(join(mastra, "tools.js"), "export const createTool = (tool) => tool;\n");
  writeFileSync(join(mastra, "tools.d.ts"), "export function createTool<T>(tool: T): T;\n");
  const tool = javaScript.find(({ name }) => name.endsWith("/word-count.mjs"))?.code ?? "";
  for (const name of ["word-count.ts", "word-count.js"]) writeFileSync(join(folder, name), tool);
}

describe("FP3 a useful tool", () => {
  it.each(["own-tool", "writing-files"])("%s fits in 12 lines, imports included", (name) => {
    const { code = "" } = snippets.find((snippet) => snippet.name === name) ?? {};
    const [tool = ""] = /^const \w+ = defineTool\(\{\n[\s\S]*?^\}\);$/m.exec(code) ?? [];
    expect(tool).toContain("workspace.writeText(");
    const imports = ["defineTool", "z"].map((used) =>
      code.match(new RegExp(`^import .*\\b${used}\\b.*$`, "m")),
    );
    expect(imports).not.toContain(null);
    expect(imports.length + tool.split("\n").length).toBeLessThanOrEqual(12);
  });
});

it.each(["contract-test", "store-contracts"])("FP2 %s runs under node --test", (contract) => {
  const { code = "" } = snippets.find(({ name }) => name === contract) ?? {};
  writeFileSync(join(folder, `${contract}.test.mjs`), code);
  expect(run(["--test", `${contract}.test.mjs`], folder)).toMatch(/^# pass [1-9]\d*\n# fail 0$/m);
});

// Only the address of the server and the folder of the workspaces are replaced.
describeUnless(noPostgres(), "FP2 snippets over PostgreSQL", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    assertBuilt("worker");
    server = await startPostgres();
    mkdirSync(join(folder, "workspaces/ws-42"), { recursive: true });
    writeFileSync(join(folder, "workspaces/ws-42/README.md"), "# Shared\n");
  });
  afterAll(() => server[Symbol.asyncDispose]());

  function program(name: string): { readonly file: string; readonly output: string } {
    const { code = "", output = "" } = snippets.find((snippet) => snippet.name === name) ?? {};
    const here = code
      .replaceAll('"postgres://haft@localhost/haft"', () => JSON.stringify(server.url))
      .replaceAll('"/srv/workspaces"', () => JSON.stringify(join(folder, "workspaces")));
    const file = `${name}.mjs`;
    writeFileSync(join(folder, file), transformSync(here, { loader: "ts", format: "esm" }).code);
    return { file, output };
  }

  it("the store prints what the page shows, then a worker and an agent do", { timeout: 60_000 }, async () => {
    const store = program("team-store");
    expect(run([store.file], folder)).toBe(store.output);
    const worker = execa("node", [program("team-worker").file], {
      cwd: folder,
      env: shellEnvironment(),
      reject: false,
    });
    const agent = program("team-agent");
    expect(run([agent.file], folder)).toBe(agent.output);
    worker.kill("SIGTERM");
    expect(await worker).toMatchObject({ exitCode: 0, stdout: "", stderr: "" });
    const traced = program("team-telemetry");
    expect(run([traced.file], folder)).toBe(traced.output);
  });
});

function run(args: readonly string[], cwd: string): string {
  try {
    return execFileSync(process.execPath, args, {
      cwd,
      encoding: "utf8",
      env: shellEnvironment(),
      timeout: 60_000,
    });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    return `${stdout}${stderr}`;
  }
}

/** Removes the variables of vitest, which the contracts look for. */
function shellEnvironment(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("VITEST"));
  return { ...Object.fromEntries(inherited), XDG_STATE_HOME: join(folder, "state"), NO_COLOR: "1" };
}

/** Turns the expressions in the README of @haft/text into one program; that package's own test evaluates them. */
function textProgram(): string {
  const page = readFileSync(join(ROOT, TEXT_PAGE), "utf8");
  const lines = [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = ""]) => code);
  const exported = exportedNames(entriesOf("text").get("@haft/text") ?? "");
  const names = exported.filter((name) => /^[a-z]/.test(name) && lines.join("").includes(`${name}(`));
  return `import { ${names.join(", ")} } from "@haft/text";\n${lines.join("")}`;
}

/** The hand-written pages of the docs site. */
function sitePages(): readonly string[] {
  return ["docs", "docs/start", "docs/guides", "docs/libraries"].flatMap((folder) =>
    readdirSync(join(ROOT, folder))
      .filter((name) => name.endsWith(".md"))
      .map((name) => `${folder}/${name}`)
      .sort(),
  );
}

function packagePages(): readonly string[] {
  return packageNames()
    .map((name) => `packages/${name}/README.md`)
    .filter((page) => page !== TEXT_PAGE);
}
