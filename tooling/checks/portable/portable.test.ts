import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { execaSync } from "execa";
import { chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findDeno, packagedProgram, programOnPath } from "../../testing/find-program.js";

const EXPECTED = {
  matches: 2,
  files: 2,
  read: true,
  edited: true,
  asked: ["edit modify src/a.ts"],
  after: "const uno = 1;\n",
  undone: "const one = 1;\n",
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "haft-portable-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const BUN = packagedProgram("@oven/bun-linux-x64", "bin/bun") ?? programOnPath("bun");
const DENO = findDeno();
const CHROMIUM = programOnPath("chromium");

describe("FP6 core, a memory workspace and the file, edit and search packs", () => {
  it.skipIf(BUN === undefined)("run on Bun (skipped where it is not installed)", async () => {
    expect(runOn(BUN ?? "", ["run", await bundle("node", PRINTING)])).toEqual(EXPECTED);
  });

  it.skipIf(DENO === undefined)("run on Deno (skipped where it is not installed)", async () => {
    expect(runOn(DENO ?? "", ["run", "--allow-env", await bundle("node", PRINTING)])).toEqual(EXPECTED);
  });

  it.skipIf(CHROMIUM === undefined)("run in Chromium (skipped where it is not installed)", async () => {
    const script = await bundle("browser", SHOWING);
    const browser = await chromium.launch({ executablePath: CHROMIUM ?? "", args: FLAGS });
    try {
      const page = await browser.newPage();
      const failures: string[] = [];
      page.on("pageerror", (error) => failures.push(error.message));
      // Browsers offer all of Web Crypto only to pages of a secure origin.
      await page.route("**/*", (route) =>
        route.fulfill({ contentType: "text/html", body: "<title>Haft</title>" }),
      );
      await page.goto("https://haft.invalid/");
      await page.addScriptTag({ path: script, type: "module" });
      await page.waitForFunction("globalThis.haftResult !== undefined", undefined, { timeout: 30_000 });
      expect(failures).toEqual([]);
      expect(await page.evaluate("globalThis.haftResult")).toEqual(EXPECTED);
    } finally {
      await browser.close();
    }
  });
});

// Libraries in CommonJS form require parts of Node.
const REQUIRE =
  'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);';
const PRINTING = "console.log(JSON.stringify(await portableProgram()));";
const SHOWING = "globalThis.haftResult = await portableProgram().catch((error) => String(error.stack));";
const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"].concat([
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
]);

/** Bundles the program like a user's bundler. For browsers, no part of Node may remain. */
async function bundle(platform: "node" | "browser", then: string): Promise<string> {
  const program = fileURLToPath(new URL("./portable-program.ts", import.meta.url));
  const outfile = join(folder, `${platform}.mjs`);
  const { metafile } = await build({
    stdin: {
      contents: `import { portableProgram } from ${JSON.stringify(program)};\n${then}`,
      resolveDir: fileURLToPath(new URL(".", import.meta.url)),
      loader: "ts",
    },
    bundle: true,
    format: "esm",
    platform,
    target: "es2022",
    conditions: ["@haft/source"],
    external: ["unpdf", "unpdf/*"],
    outfile,
    ...(platform === "node" && { banner: { js: REQUIRE } }),
    metafile: true,
    logLevel: "silent",
  });
  const imported = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path));
  if (platform === "browser") expect(imported.filter((path) => path.startsWith("node:"))).toEqual([]);
  return outfile;
}

function runOn(program: string, args: readonly string[]): unknown {
  return JSON.parse(execaSync(program, args, { timeout: 30_000 }).stdout);
}
