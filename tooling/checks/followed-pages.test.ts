import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { startScriptedModel } from "@haft/agent/scripted-model";
import { describe, expect, it } from "vitest";
import { assertBuilt } from "./built.js";
import { ROOT } from "./source-files.js";

interface FollowPage {
  readonly PAGES: Readonly<Record<string, { readonly script: Parameters<typeof startScriptedModel>[0] }>>;
  followPage(
    name: string,
    options: { folder: string; env: NodeJS.ProcessEnv; skips: readonly string[] },
  ): Promise<{ readonly expected: string; readonly printed: string }>;
}

const module: string = "../docs/follow-page.mjs";
const { PAGES, followPage } = (await import(module)) as FollowPage;

// Installing needs a registry, so `pnpm test:release` follows whole pages. Here the packages of the workspace replace
// the installation.
describe("FU7 pages with programs that need a model", () => {
  it.each(Object.entries(PAGES))("%s prints what it says", { timeout: 60_000 }, async (name, { script }) => {
    assertBuilt("runtime-node");
    const cache = join(ROOT, "docs/node_modules/.cache");
    mkdirSync(cache, { recursive: true });
    const folder = mkdtempSync(join(cache, "page-"));
    const model = await startScriptedModel(script);
    const env = {
      ...process.env,
      OPENAI_BASE_URL: model.url,
      OPENAI_API_KEY: "none",
      XDG_STATE_HOME: `${folder}-state`,
    };
    try {
      const { expected, printed } = await followPage(name, { folder, env, skips: ["npm "] });
      expect(printed).toBe(expected);
      expect(model.requests).toHaveLength(script.length);
    } finally {
      await model.close();
      for (const used of [folder, `${folder}-state`]) rmSync(used, { recursive: true, force: true });
    }
  });
});
