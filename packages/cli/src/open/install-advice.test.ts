import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { installAdvice } from "./install-advice.js";

const folder = mkdtempSync(join(tmpdir(), "haft-advice-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const OWN = "node_modules/@haft/cli/dist/haft.js";
const PNPM = "node_modules/.pnpm/@haft+cli@0.2.0/node_modules/@haft/cli/dist/haft.js";

function manifestIn(...parts: readonly string[]): string {
  const place = join(folder, ...parts);
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, "package.json"), "{}");
  return place;
}

it("S4 console: the advice for a missing package depends on how haft is installed", () => {
  const project = manifestIn("shop");
  const advice = (path: string) => installAdvice("@haft/console", path);
  for (const own of [OWN, PNPM])
    expect(advice(join(project, own))).toBe(`Install it in ${project}: npm install @haft/console`);
  const global = "Install it: npm install -g @haft/console";
  expect(advice(join(folder, "lib", OWN))).toBe(global);
  expect(advice(join(manifestIn("pnpm", "global", "5"), PNPM))).toBe(global);
  expect(advice(join(folder, "haft/packages/cli/dist/haft.js"))).toBe(global);
  expect(advice(join(manifestIn(".npm", "_npx", "1a2b"), OWN))).toBe(
    "Run both: npx -p @haft/cli -p @haft/console haft …",
  );
});
