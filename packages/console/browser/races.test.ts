import type { Script } from "@haft/agent/scripted-model";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import {
  card,
  describeInBrowser,
  FILES,
  READ,
  review,
  start,
  usePages,
} from "../test-support/console-page.js";

const { open, read } = usePages();
/** More rounds find rarer orders of events: HAFT_ROUNDS=50. */
const ROUNDS = Number(process.env.HAFT_ROUNDS ?? 4);

describeInBrowser("two windows that decide at once", () => {
  test(
    "S3.APPR in any order of events one window wins, and the other learns who answered and how",
    async () => {
      const first = await open(countingScript(ROUNDS), { maxSteps: ROUNDS + 10 });
      await start(first);
      const second = await first.context().newPage();
      await second.goto(first.url());
      for (let round = 1; round <= ROUNDS; round++) {
        const [answerFirst, answerSecond] = [await readyIn(first, round), await readyIn(second, round + 1)];
        const couldBoth = !(await Promise.all([answerFirst(), answerSecond()])).includes(false);
        // A card that the other window has already changed had no button left to press.
        const loser = couldBoth
          ? expect.stringMatching(/^Already allowed by you in another window\./)
          : "closed";
        await expect
          .poll(() => told([first, second]), { message: `round ${round}` })
          .toEqual(["closed", loser]);
        for (const page of [first, second]) await closeIn(page);
        await expect
          .poll(() => read("src/a.ts"), { message: `round ${round}` })
          .toContain(`a = ${round + 1};`);
        // A window with a new stream learns of decisions as well.
        if (round % 3 === 0) await second.reload();
      }
      await first.getByText("All done.").waitFor();
    },
    60_000 + ROUNDS * 30_000,
  );

  test("S3.APPR an answer that comes second in a card is reported too", async () => {
    const first = await open(countingScript(1), { files: { ...FILES } });
    await start(first);
    const second = await first.context().newPage();
    await second.goto(first.url());
    const late = card(second, "edit").getByRole("button", { name: /Allow once/ });
    await expect.poll(() => late.isEnabled()).toBe(true);
    // Its request is delayed until the other window has answered.
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    await second.route("**/decide", async (route) => {
      await released;
      await route.continue();
    });
    await late.click();
    await card(first, "edit").getByRole("button", { name: /Deny/ }).click();
    await first.getByText("All done.").waitFor();
    release();
    const dialog = second.locator("dialog.dialog[open]");
    await dialog.getByText("Already denied by you in another window. Your answer came second").waitFor();
    expect(read("src/a.ts")).toBe(FILES["src/a.ts"]);
  });
});

/** A tool that counts up in one file, with one approval for each step. */
function countingScript(rounds: number): Script {
  const edits = Array.from({ length: rounds }, (_, index) => ({
    calls: [
      {
        name: "edit",
        args: { path: "src/a.ts", old_string: `a = ${index + 1};`, new_string: `a = ${index + 2};` },
      },
    ],
  }));
  return [{ calls: [READ] }, ...edits, { text: "All done." }];
}

/**
 * Waits until the call can be allowed, in the dialog by click or key, or in its card. Returns a function that allows it
 * and reports whether it could.
 */
async function readyIn(page: Page, way: number): Promise<() => Promise<boolean>> {
  const inCard = card(page, "edit")
    .last()
    .getByRole("button", { name: /Allow once/ });
  if (way % 3 === 0) {
    await expect.poll(() => inCard.isEnabled()).toBe(true);
    return () => inCard.evaluate(PRESS, undefined, { timeout: 500 }).catch(() => false);
  }
  const allow = (await review(page)).getByRole("button", { name: /Allow once/ });
  await expect.poll(() => allow.isEnabled()).toBe(true);
  return () => page.keyboard.press(way % 3 === 1 ? "y" : "Control+Enter").then(() => true);
}

/** Presses a button. Returns whether it could be pressed. */
const PRESS = (button: HTMLElement | SVGElement): boolean => {
  const mayPress = button instanceof HTMLButtonElement && button.isConnected && !button.disabled;
  if (mayPress) button.click();
  return mayPress;
};

/** Returns the message of each window, the winner first. */
async function told(pages: readonly Page[]): Promise<readonly string[]> {
  const said = await Promise.all(
    pages.map(async (page) => {
      const dialog = page.locator("dialog.dialog[open]");
      if ((await dialog.count()) === 0) return "closed";
      return ((await dialog.locator(".banner").allTextContents())[0] ?? "open").trim();
    }),
  );
  return said.toSorted((a, b) => Number(b === "closed") - Number(a === "closed"));
}

async function closeIn(page: Page): Promise<void> {
  const dialog = page.locator("dialog.dialog[open]");
  if ((await dialog.count()) > 0) await dialog.getByRole("button", { name: "Close", exact: true }).click();
}
