// The setup of browser tests: one browser, and a separate console for each test.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Script } from "@haft/agent/scripted-model";
import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe } from "vitest";
import { NO_BROWSER, openBrowser } from "./open-browser.js";
import { type ConsoleFixture, type FixtureOptions, openConsole } from "./open-console.js";

/** Runs only where a browser is installed, and reports the reason otherwise. */
export function describeInBrowser(name: string, define: () => void): void {
  describe.skipIf(NO_BROWSER !== undefined)(`${name}${NO_BROWSER ? ` (${NO_BROWSER})` : ""}`, define);
}

/** Opens consoles and pages for the tests of one file, and closes them after each. */
export function usePages() {
  let browser: Browser;
  let fixture: ConsoleFixture | undefined;
  beforeAll(async () => {
    if (NO_BROWSER === undefined) browser = await openBrowser();
  });
  afterAll(() => browser?.close());
  afterEach(async () => {
    await Promise.all((browser?.contexts() ?? []).map((context) => context.close()));
    await fixture?.close();
    fixture = undefined;
  });
  const current = (): ConsoleFixture => {
    if (fixture === undefined) throw new Error("open a console first");
    return fixture;
  };
  return {
    fixture: current,
    read: (path: string) => readFileSync(join(current().root, path), "utf8"),
    /** Opens a console over these files with a model that follows the script, and its first page. */
    open: async (script: Script, options: Omit<FixtureOptions, "script"> = {}): Promise<Page> => {
      fixture = await openConsole({ files: FILES, ...options, script });
      return openPage(browser, fixture);
    },
    /** Opens a window on a console that the caller closes. */
    openWindowOn: (given: ConsoleFixture, options?: BrowserContextOptions) =>
      openPage(browser, given, options),
  };
}

async function openPage(
  browser: Browser,
  { server }: ConsoleFixture,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 820 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(Number(process.env.HAFT_BROWSER_TIMEOUT ?? 45_000));
  await page.goto(server.url);
  await page.waitForURL(/\/[0-9a-f]{10}\//);
  return page;
}

export const FILES = { "src/a.ts": "export const a = 1;\n", "notes.md": "# Notes\n" };
export const READ = { name: "read_file", args: { path: "src/a.ts" } };
export const EDIT = { name: "edit", args: { path: "src/a.ts", old_string: "a = 1", new_string: "a = 2" } };
export const READ_THEN_EDIT: Script = [
  { calls: [READ] },
  { text: "I change it.", calls: [EDIT] },
  { text: "All done." },
];

/** Enters the task of a new run. */
export async function start(page: Page, task = "Do it."): Promise<void> {
  await page.getByLabel("Task").fill(task);
  await page.keyboard.press("Control+Enter");
  await page.getByText(task).first().waitFor();
}

/** Returns the cards of calls whose head contains the text. */
export function card(page: Page, text: string): Locator {
  return page.locator("article.card").filter({ has: page.locator(".card-head", { hasText: text }) });
}

/** Opens the dialog of the newest waiting call of a tool. */
export async function review(page: Page, tool = "edit"): Promise<Locator> {
  await card(page, tool)
    .last()
    .getByRole("button", { name: /Review/ })
    .click();
  const dialog = page.locator("dialog.dialog[open]");
  await dialog.waitFor();
  return dialog;
}
