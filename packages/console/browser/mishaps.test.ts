import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { card, describeInBrowser, READ_THEN_EDIT, start, usePages } from "../test-support/console-page.js";
import { seriousProblems } from "../test-support/serious-problems.js";

const { open, fixture, read } = usePages();

describeInBrowser("everyday mishaps", () => {
  test("S4 console: keeps a typed message across a reload, and asks before a reload discards unsaved edits", async () => {
    const page = await open([]);
    await page.getByLabel("Task").fill("Half a thought");
    await page.reload();
    await expect.poll(() => page.getByLabel("Task").inputValue()).toBe("Half a thought");
    await page.getByRole("treeitem", { name: /notes\.md/ }).click();
    await page.locator(".cm-content").click();
    await page.keyboard.type("Mine. ");
    const asked: string[] = [];
    page.on("dialog", (dialog) => {
      asked.push(dialog.type());
      void dialog.dismiss();
    });
    await page.evaluate("location.reload()").catch(() => undefined);
    await expect.poll(() => asked).toEqual(["beforeunload"]);
    expect(await page.locator(".cm-content").textContent()).toContain("Mine.");
    await page.keyboard.press("Control+s");
    await expect.poll(() => read("notes.md")).toContain("Mine.");
    await page.reload();
    await page.locator(".cm-content").getByText("Mine.").waitFor();
    expect(asked).toEqual(["beforeunload"]);
  });

  test("S4 console: ignores single letters behind an open dialog", async () => {
    const page = await open([{ text: "All done." }]);
    await start(page);
    await page.getByText("All done.").waitFor();
    const address = page.url();
    await page.locator("[role=log]").focus();
    await page.keyboard.press("?");
    const keys = page.locator("dialog.keys-dialog[open]");
    await keys.waitFor();
    for (const key of ["c", "/", "[", "]", "j"]) await page.keyboard.press(key);
    expect(page.url()).toBe(address);
    expect(await page.locator("dialog[open]").count()).toBe(1);
    expect(await page.locator(".app > aside.side").count()).toBe(1);
    await page.keyboard.press("Escape");
    await page.keyboard.press("c");
    await page.getByLabel("Task").waitFor();
  });

  test("S4 console: reports a missing workspace folder, and continues when it is restored or recreated", async () => {
    const page = await open([]);
    const { root } = fixture();
    const gone = page.getByText("The folder cannot be read.");
    await page.getByRole("treeitem", { name: /notes\.md/ }).waitFor();
    renameSync(root, `${root}-away`);
    await gone.waitFor();
    await page.getByText(/does not exist/).waitFor();
    renameSync(`${root}-away`, root);
    await page.getByRole("treeitem", { name: /notes\.md/ }).waitFor();
    rmSync(root, { recursive: true });
    await gone.waitFor();
    mkdirSync(root);
    writeFileSync(join(root, "cloned.md"), "# Cloned\n");
    await page.getByRole("treeitem", { name: /cloned\.md/ }).click();
    await page.locator(".cm-content").click();
    await page.keyboard.type("Mine. ");
    await page.keyboard.press("Control+s");
    await expect.poll(() => read("cloned.md")).toContain("Mine.");
  });

  test("S4 console: never lists the runs of the previous workspace", async () => {
    const page = await open([{ text: "All done." }], { others: { "second-shop": { "b.txt": "b\n" } } });
    await start(page, "Only in the first.");
    await page.getByText("All done.").waitFor();
    const [, first] = new URL(page.url()).pathname.split("/");
    // The first workspace answers after the second.
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route(
      (url) => url.pathname === `/api/${first}/runs`,
      async (route) => {
        await released;
        await route.continue();
      },
    );
    await page.getByRole("link", { name: "Haft, new run" }).click();
    const asked = page.waitForRequest((request) => request.url().includes(`/${first}/runs`));
    await page.reload();
    await asked;
    await page.getByLabel("Workspace").selectOption({ label: "second-shop" });
    await page.getByText("No runs yet.").waitFor();
    const late = page.waitForResponse((response) => response.url().includes(`/${first}/runs`));
    release();
    await late;
    await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
    expect(await page.getByText("Only in the first.").count()).toBe(0);
  });

  test("S4 console: nine tabs of one browser work at the same time", async () => {
    const page = await open(READ_THEN_EDIT);
    await start(page);
    await card(page, "edit")
      .getByRole("button", { name: /Allow once/ })
      .waitFor();
    const others = [];
    for (let count = 0; count < 8; count++) {
      const other = await page.context().newPage();
      await other.goto(page.url());
      await card(other, "edit")
        .getByRole("button", { name: /Allow once/ })
        .waitFor();
      others.push(other);
    }
    const last = others.at(-1) ?? page;
    await card(last, "edit")
      .getByRole("button", { name: /Allow once/ })
      .click();
    for (const each of [page, ...others]) await each.getByText("All done.").waitFor();
    expect(await last.getByText("Connection lost").count()).toBe(0);
  });

  test("S4.004.a a reload keeps the text of an open turn", async () => {
    const page = await open([{ text: `A long answer ${"and so on ".repeat(80)}`, paceMs: 1_000 }]);
    await start(page);
    await page.getByText(/A long answer/).waitFor();
    await page.reload();
    await page.locator(".prose", { hasText: /^A long answer/ }).waitFor();
    expect(await page.locator(".run-head .chip").textContent()).toBe("Thinking");
  });

  test("S4.004.a a tab without a stream of its own shows live output once", async () => {
    const sleep = { name: "execute_command", args: { command: "echo printed-once; sleep 600" } };
    const page = await open([{ calls: [sleep] }]);
    await start(page);
    const printed = card(page, "echo").locator(".printed");
    await printed.getByText("printed-once").waitFor();
    const holder = await page.context().newPage();
    await holder.goto(page.url());
    await holder.evaluate(HOLD_EVERY_PLACE);
    await page.reload();
    for (let count = 0; count < 3; count++) await page.waitForRequest(/once=1/);
    await printed.waitFor();
    expect((await printed.textContent())?.match(/printed-once/g)).toHaveLength(1);
  });

  test("S4.002.b keeps unsaved edits of a deleted file, and saves them as a new file", async () => {
    const page = await open([]);
    const path = join(fixture().root, "notes.md");
    await page.getByRole("treeitem", { name: /notes\.md/ }).click();
    await page.locator(".cm-content").click();
    await page.keyboard.type("Mine. ");
    rmSync(path);
    await page.locator(".banner").getByText("Deleted on disk").waitFor();
    await page.getByRole("button", { name: "Keep mine" }).click();
    await page.keyboard.press("Control+s");
    await expect.poll(() => read("notes.md")).toContain("Mine.");
    await page.getByRole("treeitem", { name: /notes\.md/ }).waitFor();
  });

  test("S4 console: says why large and binary files are not shown, and shows a very long line", async () => {
    const page = await open([], {
      files: {
        "big.txt": "x\n".repeat(3_000_000),
        "raw.bin": new Uint8Array([0, 1, 255]),
        "long.txt": "ab ".repeat(300_000),
      },
    });
    await page.getByRole("treeitem", { name: "big.txt" }).click();
    await page.getByText("This file is too large to show.").waitFor();
    await page.getByRole("treeitem", { name: "raw.bin" }).click();
    await page.getByText("This is a binary file.").waitFor();
    await page.getByRole("treeitem", { name: "long.txt" }).click();
    await page
      .locator(".cm-content")
      .getByText(/^ab ab/)
      .waitFor();
    expect(await seriousProblems(page, "long line")).toEqual([]);
  });

  test("S4 console: on a phone, the common answers stay at the bottom, rarer ones are rows, and More lists the other screens", async () => {
    const page = await open(READ_THEN_EDIT);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole("button", { name: "More" }).click();
    const more = page.locator("dialog.more-dialog[open]");
    expect(await seriousProblems(page, "more")).toEqual([]);
    await more.getByRole("link", { name: "Audit" }).click();
    await expect.poll(() => page.url()).toContain("/audit");
    expect(await page.locator("dialog[open]").count()).toBe(0);
    await page.getByRole("link", { name: "Runs" }).click();
    await start(page);
    await card(page, "edit")
      .getByRole("button", { name: /Review/ })
      .click();
    const dialog = page.locator("dialog.dialog[open]");
    expect(await dialog.locator(".dlg-foot .btn:visible").allTextContents()).toEqual([
      "Deny N",
      "Allow once Y",
    ]);
    await dialog.getByRole("button", { name: "Allow for this run" }).click();
    await page.getByText("All done.").waitFor();
    expect(read("src/a.ts")).toBe("export const a = 2;\n");
  });

  test("S4 console: no screen scrolls sideways at 320 px, which is a zoom of 400 %", async () => {
    const page = await open(READ_THEN_EDIT);
    await start(page);
    await card(page, "edit").waitFor();
    await page.setViewportSize({ width: 320, height: 600 });
    const { origin, pathname } = new URL(page.url());
    const [, id, , run] = pathname.split("/");
    const wide: string[] = [];
    const look = async (where: string) => {
      // Layout follows fonts and loaded data.
      await page.evaluate("document.fonts.ready.then(() => new Promise((done) => setTimeout(done, 300)))");
      wide.push(...(await page.evaluate<string[]>(SIDEWAYS)).map((each) => `${where}: ${each}`));
    };
    for (const path of [...SCREENS, `run/${run}`, `history/${run}`]) {
      await page.goto(`${origin}/${id}/${path}`);
      await page.locator(".rail").waitFor();
      await look(path);
    }
    await page.goto(`${origin}/${id}/approvals`);
    await page.locator(".inbox-row").click();
    await page.locator("dialog.dialog[open] .diff").waitFor();
    await look("dialog");
    await page.keyboard.press("Escape");
    await fixture().stop();
    await page.getByText("Connection lost").waitFor();
    await look("without a server");
    expect(wide).toEqual([]);
  });
});

/** Takes the places that let a tab keep its stream, as soon as they are free. */
const HOLD_EVERY_PLACE = `[0, 1, 2, 3].forEach((place) =>
  navigator.locks.request("haft-stream-" + place, () => new Promise(() => undefined)))`;

const SCREENS = [
  "run",
  "approvals",
  "files",
  "files/src%2Fa.ts",
  "history",
  "tools",
  "tools/edit",
  "rules",
  "team",
  "audit",
];

/** Lists elements that extend beyond the window, except inside a box that scrolls or clips them. */
const SIDEWAYS = `(() => {
  const found = [];
  for (const element of document.querySelectorAll("#app *")) {
    const { right, width } = element.getBoundingClientRect();
    if (width === 0 || right <= innerWidth + 1 || element.closest(".sr, svg")) continue;
    let box = element.parentElement;
    while (box !== null && !/auto|scroll|hidden|clip/.test(getComputedStyle(box).overflowX)) box = box.parentElement;
    const isBoxed = box !== null && box !== document.body && /auto|scroll/.test(getComputedStyle(box).overflowX) && !box.matches(".scroll");
    const isCut = box !== null && /hidden|clip/.test(getComputedStyle(box).overflowX) && box.getBoundingClientRect().right <= innerWidth + 1 && box !== document.body;
    if (!isBoxed && !isCut) found.push(element.tagName + "." + element.className);
  }
  return [...new Set(found)].slice(0, 5);
})()`;
