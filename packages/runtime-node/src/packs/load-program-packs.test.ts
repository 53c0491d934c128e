import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createNodeRuntime } from "../create-node-runtime.js";
import { loadPackFolder } from "./load-pack-folder.js";

let base: string;
let app: string;
let workspace: string;
beforeEach(() => {
  // Below this package, so that the fixtures find @haft/core.
  base = realpathSync(mkdtempSync(join(fileURLToPath(new URL("fixtures", import.meta.url)), "tmp-")));
  app = join(base, "app");
  workspace = realpathSync(mkdtempSync(join(tmpdir(), "haft-packs-")));
  mkdirSync(app);
});
afterEach(() => {
  rmSync(base, { recursive: true, force: true });
  rmSync(workspace, { recursive: true, force: true });
});

const FIXTURE = fileURLToPath(new URL("fixtures/tool-words", import.meta.url));
const open = (packsFrom?: string | URL) =>
  createNodeRuntime({
    workspace,
    stateDirectory: join(base, "state"),
    env: {},
    packs: ["@acme/tool-words"],
    ...(packsFrom && { packsFrom }),
  });

describe("packs named by a program", () => {
  it.each(["a directory", "a module's URL"])("come from the folder that it names, as %s", async (how) => {
    cpSync(FIXTURE, join(app, "node_modules/@acme/tool-words"), { recursive: true });
    await using runtime = await open(how === "a directory" ? app : pathToFileURL(join(app, "main.js")));
    expect(runtime.tools().length).toBeGreaterThan(0);
  });

  it("never come from the workspace", async () => {
    const planted = join(workspace, "node_modules/@acme/tool-words");
    mkdirSync(planted, { recursive: true });
    const manifest = { name: "@acme/tool-words", type: "module", exports: "./index.js" };
    writeFileSync(join(planted, "package.json"), JSON.stringify(manifest));
    const mark = join(workspace, "has-run");
    writeFileSync(
      join(planted, "index.js"),
      `import fs from "node:fs"; fs.writeFileSync(${JSON.stringify(mark)}, "");`,
    );
    await expect(open()).rejects.toMatchObject({ code: "PACK_NOT_INSTALLED" });
    expect(existsSync(mark)).toBe(false);
  });
});

describe("loadPackFolder", () => {
  it("imports a pack that is not installed anywhere", async () => {
    cpSync(FIXTURE, join(app, "words"), { recursive: true });
    expect(await loadPackFolder(join(app, "words"))).toMatchObject({ name: "@acme/tool-words" });
  });

  it("reports a folder without a package.json", async () => {
    await expect(loadPackFolder(app)).rejects.toMatchObject({
      code: "PACK_NOT_INSTALLED",
      message: expect.stringContaining(app),
    });
  });
});
