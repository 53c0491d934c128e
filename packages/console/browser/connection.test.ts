import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  describeInBrowser,
  READ,
  READ_THEN_EDIT,
  review,
  start,
  usePages,
} from "../test-support/console-page.js";

const { open, fixture, read } = usePages();

describeInBrowser("connections", () => {
  test("S4 console: a page without its cookie reports it, and continues once the link is opened again", async () => {
    const page = await open([{ calls: [READ] }, { text: "All done." }]);
    await start(page);
    await page.getByText("All done.").waitFor();
    await page.context().clearCookies();
    await fixture().restart();
    await page.getByText("Signed out. Open the link that haft console printed").waitFor();
    const again = await page.context().newPage();
    await again.goto(fixture().server.url);
    await again.close();
    await expect
      .poll(() => page.getByText(/Signed out|Connection lost/).count(), { timeout: 30_000 })
      .toBe(0);
    await page.getByText("All done.").waitFor();
  });

  test("S4.002.b detects changes made while the server was away, and outside edits again", async () => {
    const page = await open([]);
    const write = (path: string, text: string) => writeFileSync(join(fixture().root, path), text);
    await page.getByRole("treeitem", { name: /notes\.md/ }).click();
    await page.locator(".cm-content").getByText("# Notes").waitFor();
    const restarting = fixture().restart();
    write("notes.md", "# Meanwhile\n");
    write("born-meanwhile.txt", "x\n");
    await restarting;
    await page.locator(".banner").getByText("Changed on disk").waitFor();
    await page.getByRole("treeitem", { name: /born-meanwhile/ }).waitFor();
    await page.getByRole("button", { name: "Reload" }).click();
    await page.locator(".cm-content").getByText("# Meanwhile").waitFor();
    write("notes.md", "# Later\n");
    await page.locator(".banner").getByText("Changed on disk").waitFor();
  });

  test("S3.APPR an open dialog survives a restart: its rehearsal and answers work again without a reload", async () => {
    const page = await open(READ_THEN_EDIT);
    await start(page);
    const dialog = await review(page);
    const allow = dialog.getByRole("button", { name: /Allow once/ });
    await expect.poll(() => allow.isEnabled()).toBe(true);
    const offline = dialog.getByText(/The server does not answer/);
    await fixture().stop();
    await allow.click();
    await offline.waitFor();
    await fixture().restart();
    await offline.waitFor({ state: "detached" });
    await expect.poll(() => allow.isEnabled()).toBe(true);
    await fixture().stop();
    await dialog.locator("#field-new_string").fill("a = 42");
    await offline.waitFor();
    await fixture().restart();
    await dialog.getByText("Rehearsed with your edit").waitFor();
    expect(await offline.count()).toBe(0);
    await dialog.getByRole("button", { name: /Review edited call/ }).click();
    await dialog.locator(".factbar").getByText("the arguments were changed").waitFor();
    await dialog.getByRole("button", { name: /Allow once/ }).click();
    await page.getByText("All done.").waitFor();
    expect(read("src/a.ts")).toBe("export const a = 42;\n");
  });

  test("S4 console: a screen that was opened without a server loads once it is back", async () => {
    const page = await open([]);
    await page.getByRole("treeitem", { name: /notes\.md/ }).waitFor();
    await fixture().stop();
    await page.getByText("Connection lost").waitFor();
    for (const name of ["Audit", "Rules", "Team"]) {
      await page.getByRole("link", { name }).click();
      await page
        .getByText(/does not answer/)
        .first()
        .waitFor();
    }
    await page.getByRole("link", { name: "Files" }).click();
    await page.getByRole("treeitem", { name: /notes\.md/ }).click();
    await page.getByText(/The server does not answer/).waitFor();
    await page.getByRole("link", { name: "Rules" }).click();
    await fixture().restart();
    await page.getByRole("region", { name: "Roles" }).waitFor();
    expect(await page.getByText(/does not answer/).count()).toBe(0);
    // The rail leads back to the file.
    await page.getByRole("link", { name: "Files" }).click();
    await page.locator(".cm-content").getByText("# Notes").waitFor();
    await page.getByRole("treeitem", { name: "src" }).click();
    await page.getByRole("treeitem", { name: "a.ts" }).waitFor();
  });

  test("S4.002.a a folder that is deleted and recreated shows its new files, and later ones", async () => {
    const page = await open([]);
    const folder = join(fixture().root, "src");
    await page.getByRole("treeitem", { name: "src" }).click();
    await page.getByRole("treeitem", { name: "a.ts" }).waitFor();
    rmSync(folder, { recursive: true });
    await page.getByRole("treeitem", { name: "src" }).waitFor({ state: "detached" });
    mkdirSync(folder);
    writeFileSync(join(folder, "again.ts"), "");
    await page.getByRole("treeitem", { name: "again.ts" }).waitFor();
    writeFileSync(join(folder, "later.ts"), "");
    await page.getByRole("treeitem", { name: "later.ts" }).waitFor();
  });

  test("S4 console: a malformed address still shows a page", async () => {
    const page = await open([]);
    await page.goto(`${page.url().split("/").slice(0, 4).join("/")}/files/100%25%E0`);
    await page.locator(".empty").first().waitFor();
    await page.getByRole("treeitem", { name: /notes\.md/ }).click();
    await page.locator(".cm-content").getByText("# Notes").waitFor();
  });

  test("S4 console: keys open files of folders that were never opened, fold the side panel and list themselves", async () => {
    const page = await open([], { files: { "deep/er/hidden-gem.txt": "found\n" } });
    await page.getByRole("treeitem", { name: "deep" }).waitFor();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("hidden-gem");
    await page.getByRole("option", { name: /deep\/er\/hidden-gem\.txt/ }).waitFor();
    await page.keyboard.press("Enter");
    await page.locator(".cm-content").getByText("found").waitFor();
    await page.getByRole("link", { name: "Approvals" }).click();
    await page.locator(".empty").first().waitFor();
    await page.keyboard.press("?");
    await page.locator("dialog[open]").getByText("Allow once", { exact: true }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "Files" }).click();
    await page.locator(".app > aside.side").waitFor();
    await page.locator("body").press("[");
    await expect.poll(() => page.locator(".app > aside.side").count()).toBe(0);
  });

  test("S4 console: the inbox lists and decides requests of another workspace", async () => {
    const page = await open(READ_THEN_EDIT, { others: { "second-shop": { "b.txt": "b\n" } } });
    await start(page);
    await review(page);
    await page.keyboard.press("Escape");
    await page.getByLabel("Workspace").selectOption({ label: "second-shop" });
    await page.getByRole("treeitem", { name: "b.txt" }).waitFor();
    await page.getByRole("link", { name: /Approvals/ }).click();
    await page.locator(".inbox-row").getByText("checkout-api").waitFor();
    await page.locator(".inbox-row").click();
    const dialog = page.locator("dialog.dialog[open]");
    await dialog.getByRole("button", { name: /Allow once/ }).click();
    await page.getByText("Nothing waits for you.").waitFor();
  });
});
