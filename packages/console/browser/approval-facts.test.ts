import { expect, test } from "vitest";
import {
  card,
  describeInBrowser,
  READ_THEN_EDIT,
  review,
  start,
  usePages,
} from "../test-support/console-page.js";

const { open, read } = usePages();

describeInBrowser("facts of an approval", () => {
  test("FE7 names a deleted folder as such, with all of its entries and their number", async () => {
    const names = Array.from({ length: 302 }, (_, index) => `old/file-${index}.txt`);
    const files = Object.fromEntries(names.map((name) => [name, "x\n"]));
    const call = { name: "delete_file", args: { path: "old", recursive: true } };
    const page = await open([{ calls: [call] }, { text: "All done." }], { files });
    await start(page);
    const dialog = await review(page, "delete_file");
    await dialog.getByRole("heading", { name: "Delete folder old?" }).waitFor();
    await dialog.locator(".factbar").getByText("1 folder with 302 entries").waitFor();
    await dialog.getByText("file-301.txt").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: /Approvals/ }).click();
    await page.locator(".inbox-row").getByText("1 folder with 302 entries").waitFor();
    expect(read("old/file-0.txt")).toBe("x\n");
  });

  test("S3.APPR an edit that fails hides the diff of the previous edit, and the layout stays", async () => {
    const page = await open(READ_THEN_EDIT);
    await start(page);
    const dialog = await review(page);
    const path = dialog.locator("#field-path");
    const places = () => Promise.all([path, dialog.locator("h2")].map((each) => each.boundingBox()));
    await dialog.locator(".diff").waitFor();
    const before = await places();
    await path.fill("src/nowhere.ts");
    await dialog
      .getByRole("alert")
      .getByText(/FILE_NOT_FOUND/)
      .waitFor();
    expect(await dialog.locator(".diff").isVisible()).toBe(false);
    expect(await places()).toEqual(before);
    const allow = dialog.getByRole("button", { name: /Review edited call/ });
    const paper = () => allow.evaluate((button) => getComputedStyle(button).backgroundColor);
    const off = await paper();
    expect(await allow.isDisabled()).toBe(true);
    await dialog.getByRole("button", { name: "Reset" }).click();
    await dialog.locator(".diff").waitFor();
    const on = dialog.getByRole("button", { name: /Allow once/ });
    await expect.poll(() => on.isEnabled()).toBe(true);
    expect(await on.evaluate((button) => getComputedStyle(button).backgroundColor)).not.toBe(off);
  });

  test("S3.APPR a long diff can be allowed only after all of it was shown", async () => {
    const old = Array.from({ length: 1_000 }, (_, at) => `line ${at}\n`).join("");
    const content = old.replaceAll("line", "row");
    const page = await open(
      [
        { calls: [{ name: "read_file", args: { path: "long.txt" } }] },
        { calls: [{ name: "write_file", args: { path: "long.txt", content } }] },
        { text: "All done." },
      ],
      { files: { "long.txt": old } },
    );
    await start(page);
    expect(await card(page, "write_file").getByRole("button", { name: /Allow/ }).count()).toBe(0);
    const dialog = await review(page, "write_file");
    const allow = dialog.getByRole("button", { name: /Allow once/ });
    const unfold = dialog.getByRole("button", { name: /Show all 2,00\d lines first/ });
    await unfold.waitFor();
    await expect.poll(() => dialog.getByRole("button", { name: /^Deny N/ }).isEnabled()).toBe(true);
    expect(await allow.isDisabled()).toBe(true);
    await page.keyboard.press("y");
    await unfold.click();
    // Rows are rendered near the visible part, and heights settle on the way down.
    const toTheEnd = (box: HTMLElement | SVGElement) => {
      box.scrollTop = box.scrollHeight;
    };
    await expect
      .poll(async () => {
        await dialog.locator(".dlg-body").evaluate(toTheEnd);
        return dialog.getByText("row 999").count();
      })
      .toBe(1);
    expect(read("long.txt")).toBe(old);
    await allow.click();
    await page.getByText("All done.").waitFor();
    expect(read("long.txt")).toBe(content);
  });
});
