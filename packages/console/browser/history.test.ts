import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  card,
  describeInBrowser,
  EDIT,
  READ,
  READ_THEN_EDIT,
  review,
  start,
  usePages,
} from "../test-support/console-page.js";

const { open, read, fixture } = usePages();

describeInBrowser("history, rules and results", () => {
  test("S4 console: scrubbing shows the run after each event, read-only", async () => {
    const page = await open(READ_THEN_EDIT);
    await start(page);
    const dialog = await review(page);
    await dialog.getByRole("button", { name: /Allow once/ }).click();
    await page.getByText("All done.").waitFor();
    await page.getByRole("link", { name: "Timeline" }).click();
    await page.getByRole("button", { name: "Replay", exact: true }).click();
    const slider = page.getByRole("slider");
    const last = Number(await slider.getAttribute("max"));
    for (let at = last; at > 0; at--) {
      await slider.fill(String(at));
      await page.getByText(`Event ${at} of ${last}`).waitFor();
      if ((await page.locator("article.card.is-waiting").count()) > 0) break;
    }
    expect(await card(page, "edit").getAttribute("class")).toContain("is-waiting");
    expect(await page.getByRole("button", { name: /Allow|Deny/ }).count()).toBe(0);
    expect(await page.getByText("All done.").count()).toBe(0);
  });

  test("S4 console: the history undoes a change and shows the undo", async () => {
    const page = await open(READ_THEN_EDIT);
    await start(page);
    const dialog = await review(page);
    await dialog.getByRole("button", { name: /Allow once/ }).click();
    await page.getByText("All done.").waitFor();
    await page.getByRole("link", { name: "Review changes" }).click();
    await page.getByRole("button", { name: "Changes", exact: true }).click();
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    const preview = page.getByRole("complementary", { name: "Undo this call" });
    await preview.getByText("a = 1").waitFor();
    expect(await preview.locator(".diff tr.add").textContent()).toContain("a = 1");
    expect(read("src/a.ts")).toBe("export const a = 2;\n");
    await preview.getByRole("button", { name: "Undo 1 file" }).click();
    await page.getByText("Undone", { exact: true }).waitFor();
    expect(read("src/a.ts")).toBe("export const a = 1;\n");
  });

  test("S4 console: the preview of an undo names calls whose files have changed since, and leaves them alone", async () => {
    const files = { "a.txt": "one\n", "b.txt": "one\n" };
    const calls = (name: string, more: object = {}) =>
      Object.keys(files).map((path) => ({ name, args: { path, ...more } }));
    const page = await open(
      [
        { calls: calls("read_file") },
        { calls: calls("edit", { old_string: "one", new_string: "two" }) },
        { text: "All done." },
      ],
      { files, runtime: { policy: () => ({ effect: "allow", because: "a test" }) } },
    );
    await start(page);
    await page.getByText("All done.").waitFor();
    writeFileSync(join(fixture().root, "a.txt"), "mine\n");
    await page.getByRole("region", { name: "Summary" }).getByRole("button", { name: "Undo" }).click();
    const preview = page.getByRole("complementary", { name: "Undo this run" });
    await preview.getByText(/1 file goes back to how it was; 1 call cannot be undone and stays/).waitFor();
    await preview.getByText(/changed since then: a\.txt/).waitFor();
    await preview.getByRole("button", { name: "Undo 1 file" }).click();
    await expect.poll(() => read("b.txt")).toBe("one\n");
    expect(read("a.txt")).toBe("mine\n");
  });

  test("S4 console: charts tokens, time and cost per turn, and the timeline moves the replay", async () => {
    const prices = { inputPerMillion: 3, outputPerMillion: 15 };
    const page = await open([{ calls: [READ] }, { text: "All done." }], { prices });
    await start(page);
    await page.getByText("All done.").waitFor();
    await page.getByRole("link", { name: "Timeline" }).click();
    const table = page.getByRole("table", { name: "Tokens, time and cost per turn" });
    await expect.poll(() => table.getByRole("row").count()).toBe(3);
    expect(await table.textContent()).toMatch(/\$0\.\d{3}/);
    await page.locator(".figures").getByText("Cost").waitFor();
    expect(await page.locator(".playhead").count()).toBe(0);
    await page.locator(".gantt .bar-name").first().click();
    await page.locator(".playhead").waitFor({ state: "attached" });
    await page.getByText(/read_file ended: ok/).waitFor();
  });

  test("S4 console: search finds runs by their calls and results", async () => {
    const page = await open([{ calls: [READ] }, { text: "All done." }]);
    await start(page);
    await page.getByText("All done.").waitFor();
    await page.getByRole("link", { name: "Timeline" }).click();
    const search = page.getByLabel("Search runs");
    await search.fill("export const");
    await page.locator(".runs li").waitFor();
    await search.fill("nowhere in it");
    await page.getByText("No run mentions that.").waitFor();
  });

  test("S4 console: a remembered answer shows its uses and can be revoked; approvals suggest rules", async () => {
    const again = { ...EDIT, args: { ...EDIT.args, old_string: "a = 2", new_string: "a = 3" } };
    const page = await open([
      { calls: [READ] },
      { calls: [EDIT] },
      { calls: [again] },
      { text: "All done." },
    ]);
    await start(page);
    const dialog = await review(page);
    await dialog.getByRole("button", { name: "Always", exact: true }).click();
    await dialog.getByRole("button", { name: /Always allow/ }).click();
    await page.getByText("All done.").waitFor();
    await page.getByRole("link", { name: "Rules" }).click();
    const grant = page.locator(".grants li");
    await grant.getByText(/used once/).waitFor();
    await page.getByRole("heading", { name: "Suggested rules" }).waitFor();
    await grant.getByRole("button", { name: "Revoke" }).click();
    await page.getByText(/No remembered answers/).waitFor();
  });

  test("S4 console: hits link into the file; tables and images are rendered", async () => {
    const files = { "src/a.ts": "export const a = 1;\n", "dot.png": PIXEL };
    const page = await open(
      [
        { calls: [{ name: "grep", args: { pattern: "const a" } }] },
        { calls: [{ name: "read_file", args: { path: "dot.png" } }] },
        { text: "| Name | Size |\n| --- | --- |\n| a | **1** |" },
      ],
      { files, runtime: { acceptsImages: true } },
    );
    await start(page);
    await page.getByRole("cell", { name: "a", exact: true }).waitFor();
    const image = card(page, "dot.png");
    await image.locator(".card-head").click();
    await expect
      .poll(() => image.locator("img").evaluate((img) => (img as HTMLImageElement).naturalWidth))
      .toBe(1);
    const hits = card(page, "const a");
    await hits.locator(".card-head").click();
    await hits.getByRole("link", { name: /export const a/ }).click();
    await page.locator(".cm-content").getByText("export const a").waitFor();
    expect(page.url()).toContain("/files/src%2Fa.ts?line=1");
    expect(fixture().requests.length).toBeGreaterThan(0);
  });

  test("S4 console: the browser announces an approval that arrives while the page is hidden", async () => {
    const page = await open(READ_THEN_EDIT);
    await page.evaluate(`(() => {
      window.told = [];
      window.Notification = class { constructor(title) { window.told.push(title); } close() {} static requestPermission() { return Promise.resolve("granted"); } };
      Object.defineProperty(document, "hidden", { get: () => true });
    })()`);
    await page.getByRole("link", { name: "Approvals" }).click();
    await page.getByRole("button", { name: "Notify me" }).click();
    await page.getByRole("link", { name: "Haft, new run" }).click();
    await start(page);
    await expect.poll(() => page.evaluate("window.told")).toEqual(["edit waits for you"]);
  });
});

const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
