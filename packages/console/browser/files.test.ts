import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { card, describeInBrowser, review, start, usePages } from "../test-support/console-page.js";

const { open, fixture, read } = usePages();
const WRITE = (path: string) => ({ name: "write_file", args: { path, content: "x\n" } });

describeInBrowser("files", () => {
  test("S4.002.a the tree shows a file that a call created, without a reload", async () => {
    const page = await open([{ calls: [WRITE("new.txt")] }, { text: "Ok." }]);
    await page.getByRole("treeitem", { name: "src" }).waitFor();
    expect(await page.getByRole("treeitem", { name: /new\.txt/ }).count()).toBe(0);
    await start(page);
    await page.getByRole("treeitem", { name: /new\.txt.*added/ }).waitFor();
  });

  test("S4.002.b an open file that a call modifies shows a notice and offers the new content", async () => {
    const edit = { path: "notes.md", old_string: "# Notes", new_string: "# Changed by a call" };
    const page = await open([
      { calls: [{ name: "read_file", args: { path: "notes.md" } }] },
      { calls: [{ name: "edit", args: edit }] },
      { text: "Ok." },
    ]);
    await page.getByRole("treeitem", { name: /notes\.md/ }).click();
    await page.locator(".cm-content").getByText("# Notes").waitFor();
    await page.getByRole("link", { name: "Haft, new run" }).click();
    await start(page);
    const dialog = await review(page);
    await dialog.getByRole("button", { name: /Allow once/ }).click();
    await page.getByText("Ok.").waitFor();
    await page.getByRole("treeitem", { name: /notes\.md/ }).click();
    await page.locator(".banner").getByText("Changed on disk").waitFor();
    await page.getByRole("button", { name: "Reload" }).click();
    await page.locator(".cm-content").getByText("# Changed by a call").waitFor();
  });

  test("S4.002.b an outside edit of an open file: compare, keep mine, save, reload", async () => {
    const page = await open([]);
    await page.getByRole("treeitem", { name: /notes\.md/ }).click();
    await page.locator(".cm-content").click();
    await page.keyboard.type("Mine. ");
    writeFileSync(join(fixture().root, "notes.md"), "# Theirs\n");
    await page.locator(".banner").getByText("Changed on disk").waitFor();
    await page.getByRole("button", { name: /Compare/ }).click();
    await page.getByText("On disk now").waitFor();
    await page.getByText("# Theirs").waitFor();
    await page.getByRole("button", { name: "Keep mine" }).click();
    await page.keyboard.press("Control+s");
    await expect.poll(() => read("notes.md")).toContain("Mine.");
    writeFileSync(join(fixture().root, "notes.md"), "# Again\n");
    await page.getByRole("button", { name: "Reload" }).click();
    await expect.poll(() => page.locator(".cm-content").textContent()).toContain("# Again");
  });

  test("S4.002.b an open text that becomes a binary file shows that; a file that cannot be edited follows the disk", async () => {
    const page = await open([]);
    const path = join(fixture().root, "notes.md");
    await page.getByRole("treeitem", { name: /notes\.md/ }).click();
    await page.locator(".cm-content").click();
    await page.keyboard.type("Mine. ");
    writeFileSync(path, Buffer.from([0, 1, 2, 255, 0]));
    await page.locator(".banner").getByText("cannot be shown as text").waitFor();
    expect(await page.getByRole("button", { name: "Keep mine" }).count()).toBe(0);
    expect(await page.locator(".cm-content").textContent()).toContain("Mine.");
    await page.getByRole("button", { name: "Reload" }).click();
    await page.getByText("This is a binary file.").waitFor();
    writeFileSync(path, "# Text again\n");
    await page.locator(".cm-content").getByText("# Text again").waitFor();
  });

  test("S4.002.c parent folders that a call created appear in the tree", async () => {
    const page = await open([{ calls: [WRITE("deep/er/new.txt")] }, { text: "Ok." }]);
    await page.getByRole("treeitem", { name: "src" }).waitFor();
    await start(page);
    await page.getByRole("treeitem", { name: /^deep/ }).click();
    await page.getByRole("treeitem", { name: /^er\b/ }).click();
    await page.getByRole("treeitem", { name: /new\.txt/ }).waitFor();
  });

  test("S4.002.d refuses a write outside the workspace, shows it red, and writes nothing", async () => {
    const page = await open([{ calls: [WRITE("../out.txt")] }, { text: "Ok." }]);
    await start(page);
    await expect.poll(() => card(page, "../out.txt").getAttribute("class")).toContain("is-failed");
    expect(existsSync(join(fixture().root, "../out.txt"))).toBe(false);
  });

  test("S4 console: one console shows several workspaces, each with its own files", async () => {
    const page = await open([], {
      others: { "other-api": { "only-there.md": "# There\n", "notes.md": "# Other notes\n" } },
    });
    await page.getByRole("treeitem", { name: /src/ }).waitFor();
    await page.getByRole("treeitem", { name: /notes\.md/ }).click();
    await page.locator(".cm-content").getByText("# Notes").waitFor();
    await page.getByLabel("Workspace").selectOption("other-api");
    await page.getByRole("treeitem", { name: /only-there\.md/ }).click();
    await page.locator(".cm-content").getByText("# There").waitFor();
    expect(await page.getByRole("treeitem", { name: /src/ }).count()).toBe(0);
    await page.getByRole("treeitem", { name: /notes\.md/ }).click();
    await page.locator(".cm-content").getByText("# Other notes").waitFor();
    expect(await page.locator(".filetab").count()).toBe(2);
  });
});
