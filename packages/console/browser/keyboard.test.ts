import { expect, test } from "vitest";
import {
  card,
  describeInBrowser,
  FILES,
  READ_THEN_EDIT,
  review,
  start,
  usePages,
} from "../test-support/console-page.js";

const { open, read } = usePages();
const TWO_FILES = { "a.txt": "one\n", "b.txt": "one\n" };
const TWO_DELETES = Object.keys(TWO_FILES).map((path) => ({ name: "delete_file", args: { path } }));

describeInBrowser("keyboard", () => {
  test("S3.APPR reviews and allows a call and denies its sibling with keys alone", async () => {
    const page = await open([{ calls: TWO_DELETES }, { text: "All done." }], { files: TWO_FILES });
    await start(page);
    await expect.poll(() => page.locator("article.card.is-waiting").count()).toBe(2);
    await page.locator("[role=log]").focus();
    await page.keyboard.press("j");
    const dialog = page.locator("dialog.dialog[open]");
    await dialog.locator(".place", { hasText: "1 of 2" }).waitFor();
    const title = await dialog.getByRole("heading").first().textContent();
    await page.keyboard.press("j");
    await dialog.locator(".place", { hasText: "2 of 2" }).waitFor();
    await page.keyboard.press("k");
    await dialog.locator(".place", { hasText: "1 of 2" }).waitFor();
    await expect.poll(() => dialog.getByRole("button", { name: /^Deny N/ }).isEnabled()).toBe(true);
    await page.keyboard.press("n");
    await expect.poll(() => page.locator("article.card.is-waiting").count()).toBe(1);
    await page.locator("[role=log]").focus();
    await page.keyboard.press("v");
    await expect.poll(() => dialog.getByRole("button", { name: /Allow once/ }).isEnabled()).toBe(true);
    await page.keyboard.press("y");
    await page.getByText("All done.").waitFor();
    const denied = title?.includes("a.txt") ? "a.txt" : "b.txt";
    expect(read(denied)).toBe("one\n");
    expect(() => read(denied === "a.txt" ? "b.txt" : "a.txt")).toThrow(/ENOENT/);
  });

  test("S4 console: single-letter keys can be switched off permanently, and on again from the palette", async () => {
    const page = await open(READ_THEN_EDIT);
    await start(page);
    const toggle = page.locator("dialog[open]").getByLabel(/Single letters/);
    await page.locator("[role=log]").focus();
    await page.keyboard.press("?");
    await toggle.uncheck();
    await page.keyboard.press("Escape");
    await page.reload();
    const dialog = await review(page);
    await expect.poll(() => dialog.getByRole("button", { name: /Allow once/ }).isEnabled()).toBe(true);
    await page.keyboard.press("y");
    await page.keyboard.press("n");
    await page.keyboard.press("Escape");
    await page.locator("[role=log]").focus();
    for (const key of ["v", "?", "c"]) await page.keyboard.press(key);
    expect(await page.locator("dialog[open]").count()).toBe(0);
    expect(await card(page, "edit").getAttribute("class")).toContain("is-waiting");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("Keys");
    await page.keyboard.press("Enter");
    await toggle.check();
    await page.keyboard.press("Escape");
    await page.locator("[role=log]").focus();
    await page.keyboard.press("v");
    await dialog.getByText("Change a.ts?").waitFor();
  });

  test("S3.APPR letters in a text field decide nothing, nor does Escape", async () => {
    const page = await open(READ_THEN_EDIT);
    await start(page);
    const dialog = await review(page);
    await expect.poll(() => dialog.getByRole("button", { name: /Allow once/ }).isEnabled()).toBe(true);
    await page.keyboard.press("f");
    await page.keyboard.type("yes, ny");
    expect(await dialog.getByLabel("Tell the model").inputValue()).toBe("yes, ny");
    await page.keyboard.press("Escape");
    await expect.poll(() => page.locator("dialog[open]").count()).toBe(0);
    expect(await card(page, "edit").getAttribute("class")).toContain("is-waiting");
    expect(read("src/a.ts")).toBe(FILES["src/a.ts"]);
  });

  test("S3.APPR an answer that appears under the pointer ignores clicks at first", async () => {
    const page = await open(READ_THEN_EDIT);
    await page.evaluate(`(() => {
      const hasty = new MutationObserver(() => {
        const button = document.querySelector(".card-act .btn.primary");
        if (button === null) return;
        hasty.disconnect();
        button.click();
        window.clicked = true;
      });
      hasty.observe(document, { childList: true, subtree: true });
    })()`);
    await start(page);
    await expect.poll(() => page.evaluate("window.clicked")).toBe(true);
    const allow = card(page, "edit").getByRole("button", { name: /Allow once/ });
    await expect.poll(() => allow.isEnabled()).toBe(true);
    expect(read("src/a.ts")).toBe(FILES["src/a.ts"]);
    await allow.focus();
    await page.keyboard.press("y");
    await page.getByText("All done.").waitFor();
    expect(read("src/a.ts")).toBe("export const a = 2;\n");
  });

  test("S3.APPR an argument keeps the focus while it grows beyond one line", async () => {
    const page = await open(READ_THEN_EDIT);
    await start(page);
    const dialog = await review(page);
    const field = dialog.locator("#field-new_string");
    await field.fill("a = ");
    await page.keyboard.type(`"${"x".repeat(80)}"`);
    expect(await field.inputValue()).toBe(`a = "${"x".repeat(80)}"`);
    await dialog.getByText("Rehearsed with your edit").waitFor();
  });

  test("S3.APPR closing a dialog restores the focus", async () => {
    const page = await open(READ_THEN_EDIT);
    await start(page);
    const button = card(page, "edit").getByRole("button", { name: /Review/ });
    await button.focus();
    await page.keyboard.press("Enter");
    await page.locator("dialog.dialog[open]").getByRole("button", { name: /Later/ }).click();
    await expect.poll(() => button.evaluate((it) => it === document.activeElement)).toBe(true);
    await page.keyboard.press("Control+k");
    await page.getByRole("option").first().waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => button.evaluate((it) => it === document.activeElement)).toBe(true);
  });
});
