import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PROJECT_FILES } from "../test-support/checkout-project.js";
import { describeInBrowser, usePages } from "../test-support/console-page.js";
import { type PictureDifference, pictureDifference } from "../test-support/picture-difference.js";
import { seriousProblems } from "../test-support/serious-problems.js";
import { NOW, openShowcase, type Showcase } from "../test-support/showcase.js";

// Compared with the pictures in screenshots/. HAFT_UPDATE_SCREENSHOTS=1 updates them; look at every one you commit.
const FOLDER = join(import.meta.dirname, "../screenshots");
const isUpdating = process.env.HAFT_UPDATE_SCREENSHOTS === "1";
/**
 * The share of pixels that may differ in any tile of 48 x 48. Two runs differ by 4 % where they show a duration; a
 * checkbox that moves makes 12 %.
 */
const TOLERANCE = 0.08;

const SCREENS: Readonly<Record<string, { readonly path: string; ready(page: Page): Promise<unknown> }>> = {
  start: { path: "run", ready: (page) => page.getByText("Refund loses a cent").first().waitFor() },
  run: { path: "run/RUN", ready: openRun },
  approvals: { path: "approvals", ready: (page) => page.locator(".inbox-row").first().waitFor() },
  dialog: { path: "approvals", ready: openDialog },
  palette: { path: "approvals", ready: openPalette },
  files: {
    path: "files/src%2Fpayments%2Fsplit-refund.js",
    ready: (page) => page.locator(".cm-content").getByText("splitRefund").first().waitFor(),
  },
  compare: { path: "files/README.md", ready: openCompare },
  mention: { path: "run/RUN", ready: openMention },
  "tool-form": { path: "run/RUN", ready: openToolForm },
  history: { path: "history/RUN", ready: (page) => page.locator(".gantt").waitFor() },
  replay: { path: "history/RUN", ready: openReplay },
  changes: { path: "history/RUN", ready: openChanges },
  tools: { path: "tools/edit", ready: (page) => page.getByText("Try it").waitFor() },
  rules: { path: "rules", ready: (page) => page.getByText("Suggested rules").waitFor() },
  explain: { path: "rules", ready: openExplanation },
  keys: { path: "tools/edit", ready: openKeys },
  audit: { path: "audit", ready: auditWithFixedTimes },
  undo: { path: "history/RUN", ready: openUndo },
  team: { path: "team", ready: (page) => page.getByText("build-1").first().waitFor() },
};
const SIZES = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };
const VIEWS = (["desktop", "phone"] as const).flatMap((size) =>
  (["light", "dark"] as const).map((theme) => ({ size, theme })),
);

const pages = usePages();
let showcase: Showcase;

describeInBrowser("screens", () => {
  beforeAll(async () => {
    showcase = await openShowcase();
  });
  afterAll(() => showcase.close());

  test.each(VIEWS)(
    "S4 console: every screen matches its screenshot, $size $theme, and axe finds nothing serious",
    async ({ size, theme }) => {
      const page = await pages.openWindowOn(showcase, {
        viewport: SIZES[size],
        colorScheme: theme,
        timezoneId: "UTC",
        locale: "en-US",
        reducedMotion: "reduce",
      });
      await page.clock.setFixedTime(new Date(NOW));
      const base = page.url().split("/").slice(0, 4).join("/");
      const problems: string[] = [];
      for (const [name, { path, ready }] of Object.entries(SCREENS)) {
        // A message that was typed for the picture before is kept by the page.
        await page.evaluate("sessionStorage.clear()");
        await page.goto(`${base}/${path.replace("RUN", showcase.runId)}`);
        await ready(page);
        await page.evaluate("document.fonts.ready");
        const place = join(FOLDER, `${name}-${size}-${theme}.png`);
        problems.push(...(await pictureProblems(page, place)));
        problems.push(...(await seriousProblems(page, `${name} ${size} ${theme}`)));
      }
      expect(problems).toEqual([]);
    },
    600_000,
  );
});

/** Screens settle after a while, so a picture is taken again until it matches, for a few seconds. */
async function pictureProblems(page: Page, place: string): Promise<readonly string[]> {
  if (isUpdating || !existsSync(place)) {
    await page.waitForTimeout(700);
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(place, await page.screenshot({ animations: "disabled", caret: "hide" }));
    return isUpdating ? [] : [`${place} was missing: look at it and commit it`];
  }
  const expected = readFileSync(place);
  let found: PictureDifference = { share: 1, at: "0,0" };
  for (let attempt = 0; attempt < 20 && found.share > TOLERANCE; attempt++) {
    if (attempt > 0) await page.waitForTimeout(250);
    const taken = await page.screenshot({ animations: "disabled", caret: "hide" });
    found = await pictureDifference(page, expected, taken);
  }
  const { share, at } = found;
  return share > TOLERANCE ? [`${place}: ${(100 * share).toFixed(1)} % of the pixels differ at ${at}`] : [];
}

async function openRun(page: Page): Promise<void> {
  await page.getByRole("button", { name: /Allow once/ }).waitFor();
  await page.getByText("Checking 5 files").waitFor();
}

async function openDialog(page: Page): Promise<void> {
  await page.locator(".inbox-row").last().click();
  await page.locator("dialog.dialog[open] .diff").waitFor();
}

async function openPalette(page: Page): Promise<void> {
  await page.locator(".inbox-row").last().waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("option").first().waitFor();
}

/** Edits a file in the page and on disk. */
async function openCompare(page: Page): Promise<void> {
  const file = join(showcase.root, "README.md");
  writeFileSync(file, PROJECT_FILES["README.md"]);
  await page.reload();
  await page.locator(".cm-content").click();
  await page.keyboard.type("Mine: ");
  writeFileSync(file, `${PROJECT_FILES["README.md"]}\nRefunds are split to the cent.\n`);
  await page.getByRole("button", { name: /Compare/ }).click();
  await page.getByText("On disk now").waitFor();
}

async function openMention(page: Page): Promise<void> {
  await openRun(page);
  await page.getByLabel("Message").click();
  await page.keyboard.type("Look at @split");
  await page.getByRole("option", { name: /split-refund\.test/ }).waitFor();
}

async function openToolForm(page: Page): Promise<void> {
  await openRun(page);
  await page.getByRole("button", { name: "Call a tool" }).click();
  const form = page.locator("dialog.tool-dialog[open]");
  await form.getByLabel("Tool", { exact: true }).selectOption("grep");
  await form.getByLabel("pattern").fill("splitRefund");
  await form.getByRole("button", { name: "Run", exact: true }).click();
  await form.getByText(/Found \d/).waitFor();
}

async function openExplanation(page: Page): Promise<void> {
  const explain = page.getByRole("region", { name: "Explain a call" });
  await explain.getByLabel("tool").selectOption("execute_command");
  await explain.getByLabel("arguments").fill('{"command":"rm -rf /"}');
  await explain.getByRole("button", { name: "Explain", exact: true }).click();
  await explain.getByRole("status").scrollIntoViewIfNeeded();
}

async function openKeys(page: Page): Promise<void> {
  await page.getByText("Try it").waitFor();
  await page.keyboard.press("?");
  await page.locator("dialog[open]").waitFor();
}

async function openReplay(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Replay" }).click();
  const slider = page.getByRole("slider");
  // The events arrive after the page.
  await expect.poll(async () => Number(await slider.getAttribute("max"))).toBeGreaterThan(30);
  await slider.fill("14");
  await page.getByText(/Event 14 of/).waitFor();
}

async function openUndo(page: Page): Promise<void> {
  await openChanges(page);
  await page.getByRole("button", { name: "Undo the run" }).click();
  await page.locator(".undo-body .diff").first().waitFor();
}

async function openChanges(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Changes", exact: true }).click();
  await page.locator(".changes .diff").first().waitFor();
}

/** How long a call takes depends on the machine, unlike the dates. */
async function auditWithFixedTimes(page: Page): Promise<void> {
  await page.locator(".audit tbody tr").first().waitFor();
  await page.evaluate(() => {
    const texts = document.createTreeWalker(
      document.querySelector(".audit tbody") as Node,
      NodeFilter.SHOW_TEXT,
    );
    while (texts.nextNode()) {
      const { currentNode: text } = texts;
      text.textContent = (text.textContent ?? "").replace(/[\d.]+ m?s$/, "120 ms");
    }
  });
}
