import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { DurableEvent } from "@haft/agent";
import { memoryRunJournalStore } from "@haft/core/memory";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { card, describeInBrowser, start, usePages } from "../test-support/console-page.js";
import { JournalWriter } from "../test-support/events.js";

const { open, fixture } = usePages();

/** Writes a run with this many events, every call with a result. */
async function longRun(events: number) {
  const runs = memoryRunJournalStore<DurableEvent>();
  const run = new JournalWriter("long", "2026-03-12T08:00:00.000Z").started("A long task");
  while (run.events.length < events) {
    const text = `Turn ${run.events.length}`;
    const [callId] = run.turn(text, [["grep", { pattern: "x" }]]) as [string];
    run.starts(callId).settles(callId, { text: "src/a.ts:1:const x = 1;\n".repeat(20) });
  }
  const journal = await runs.open("long");
  for (const event of run.ends("The end.").events) await journal.append(event);
  await journal.close();
  return runs;
}

async function metrics(page: Page): Promise<Record<string, number>> {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  await session.send("Performance.enable");
  const found = await session.send("Performance.getMetrics");
  await session.detach();
  return Object.fromEntries(found.metrics.map(({ name, value }) => [name, value]));
}

describeInBrowser("long runs", () => {
  test("S4 console: 10,000 events scroll with few elements and bounded memory", async () => {
    const page = await open([], { runs: await longRun(10_000) });
    await page.goto(`${page.url().split("/run")[0]}/run/long`);
    await page.getByRole("region", { name: "Summary" }).waitFor();
    const log = page.locator("[role=log]");
    const steps = page.locator("section.step");
    expect(await steps.count()).toBeLessThan(60);
    await log.evaluate((box) => {
      box.scrollTop = box.scrollHeight / 2;
    });
    await expect.poll(async () => (await steps.first().textContent()) ?? "").toMatch(/Step 1[0-9]{3}/);
    expect(await steps.count()).toBeLessThan(60);
    await log.evaluate((box) => {
      box.scrollTop = 0;
    });
    await page.getByText("A long task").last().waitFor();
    const { JSHeapUsedSize = 0, Nodes = 0 } = await metrics(page);
    expect(Nodes).toBeLessThan(8_000);
    expect(JSHeapUsedSize / 1024 ** 2).toBeLessThan(120);
  });

  test("S4.004.c the end stays visible when a card folds and the next follows at once, and a reader's scroll position is kept", async () => {
    const page = await open([], { runs: await longRun(200) });
    await page.goto(`${page.url().split("/run")[0]}/run/long`);
    await page.getByRole("region", { name: "Summary" }).waitFor();
    const log = page.locator("[role=log]");
    const gap = () => log.evaluate((box) => Math.round(box.scrollHeight - box.scrollTop - box.clientHeight));
    const frames =
      "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done))))";
    await page.evaluate(`document.querySelector(".talk").append(Object.assign(document.createElement("div"), { id: "card" }));
      document.getElementById("card").style.height = "600px"; ${frames}`);
    await expect.poll(gap).toBe(0);
    await page.evaluate(`new Promise((done) => requestAnimationFrame(() => setTimeout(() => {
      const card = document.getElementById("card").style;
      card.height = "36px";
      // Forces layout, which moves the content; the next card exists before the page handles the event.
      void document.querySelector("[role=log]").scrollTop;
      card.height = "900px";
      done();
    }))).then(() => ${frames})`);
    await expect.poll(gap).toBe(0);
    await log.hover();
    await page.mouse.wheel(0, -300);
    await expect.poll(gap).toBeGreaterThan(200);
    const before = await log.evaluate((box) => box.scrollTop);
    await page.evaluate(`document.getElementById("card").style.height = "1500px"; ${frames}`);
    expect(await log.evaluate((box) => box.scrollTop)).toBe(before);
  });

  test("S4 console: a command that prints 50 MB leaves the page responsive", async () => {
    const page = await open([
      { calls: [{ name: "execute_command", args: { command: "cat big.txt" } }] },
      { text: "The summary." },
    ]);
    writeFileSync(join(fixture().root, "big.txt"), `${"x".repeat(79)}\n`.repeat(650_000));
    await page.evaluate(`(() => {
      window.longest = 0;
      let last = performance.now();
      const tick = (now) => { window.longest = Math.max(window.longest, now - last); last = now; requestAnimationFrame(tick); };
      requestAnimationFrame(tick);
    })()`);
    await start(page);
    await page.getByText("The summary.").waitFor();
    expect(await card(page, "cat big.txt").count()).toBe(1);
    // A page that rendered all of it would freeze for many seconds.
    expect(await page.evaluate("window.longest")).toBeLessThan(3_000);
    expect((await metrics(page)).JSHeapUsedSize ?? 0).toBeLessThan(60 * 1024 ** 2);
  });

  test("S4 console: the script is at most 80 KB gzipped without the editor", () => {
    const assets = join(import.meta.dirname, "../dist/static/assets");
    const script = readdirSync(assets).filter((name) => /^index-.*\.js$/.test(name));
    expect(script).toHaveLength(1);
    const size = gzipSync(readFileSync(join(assets, script[0] ?? ""))).length;
    expect(size / 1024).toBeLessThan(80);
  });
});
