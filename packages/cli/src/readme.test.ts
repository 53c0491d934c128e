import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { startScriptedModel } from "@haft/agent/scripted-model";
import { expect, it } from "vitest";
import { inTerminal } from "./fixtures/pty-session.js";

interface Shop {
  readonly SHOP: Readonly<Record<string, string>>;
  readonly BUG: string;
  readonly FIX: string;
}

const ROOT = new URL("../../../", import.meta.url);
const { SHOP, BUG, FIX } = (await import(new URL("examples/demo/shop-project.js", ROOT).href)) as Shop;

it("FP2 the README's terminal output is what a person sees before the change", {
  timeout: 60_000,
}, async () => {
  const readme = readFileSync(new URL("README.md", ROOT), "utf8");
  const [, shown = "no output"] = /cli run "[^`]*```\n\n```text\n([\s\S]*?)```/.exec(readme) ?? [];
  const cwd = mkdtempSync(join(tmpdir(), "haft-readme-"));
  for (const [path, text] of Object.entries(SHOP)) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), text);
  }
  const path = "src/discount.js";
  const model = await startScriptedModel([
    { calls: [{ name: "read_file", args: { path } }] },
    { calls: [{ name: "edit", args: { path, old_string: BUG, new_string: FIX } }] },
    { text: "Fixed." },
  ]);
  try {
    const task = "find out why the tests fail, and fix it";
    const args = ["run", task, "--once", "--base-url", model.url, "--model", "qwen3"];
    const session = inTerminal(args, { cwd });
    expect(await session.until(/\n>$/)).toContain(shown.trimEnd());
    session.type("y\r");
    expect(await session.ended).toBe(0);
    expect(readFileSync(join(cwd, path), "utf8")).toContain(FIX);
  } finally {
    await model.close();
    rmSync(cwd, { recursive: true, force: true });
  }
});
