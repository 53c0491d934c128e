import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const RUN = `axe.run().then(({ violations }) => violations
  .filter(({ impact }) => impact === "serious" || impact === "critical")
  .map(({ id, nodes }) => id + " " + nodes[0].target.join(" ") + " " + (nodes[0].any[0]?.message ?? "").slice(0, 120)))`;

/** Lists the serious and critical violations that axe-core finds on the current page. */
export async function seriousProblems(page: Page, where: string): Promise<readonly string[]> {
  await page.evaluate(AXE);
  return (await page.evaluate<string[]>(RUN)).map((problem) => `${where}: ${problem}`);
}
