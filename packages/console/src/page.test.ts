import { expect, test } from "vitest";
import { NO_BROWSER, openBrowser } from "../test-support/open-browser.js";
import { openConsole } from "../test-support/open-console.js";

test.skipIf(NO_BROWSER !== undefined)(
  `S4.004 the page shows a run from its first call to its summary${NO_BROWSER ? ` (${NO_BROWSER})` : ""}`,
  async () => {
    const script = [{ calls: [{ name: "read_file", args: { path: "a.txt" } }] }, { text: "The summary." }];
    const fixture = await openConsole({ files: { "a.txt": "a\n" }, script });
    const browser = await openBrowser();
    const page = await browser.newPage();
    page.setDefaultTimeout(150_000);
    await page.goto(fixture.server.url);
    await page.getByLabel("Task").fill("Read it.");
    await page.keyboard.press("Control+Enter");
    await page.getByText("The summary.").waitFor();
    expect(await page.locator("article.card.is-ok").count()).toBe(1);
    await browser.close();
    await fixture.close();
  },
  // A browser beside other tests may be slow; nothing here waits for a time.
  180_000,
);
