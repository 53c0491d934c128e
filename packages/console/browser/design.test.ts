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
import { seriousProblems } from "../test-support/serious-problems.js";

const { open, fixture, read } = usePages();

/** Returns the names of controls in the conversation and the composer that the toast covers. */
const COVERED_BY_TOAST = `(() => {
  const toast = document.querySelector(".toast").getBoundingClientRect();
  return [...document.querySelectorAll(".composer button, .composer textarea, .needs button, .card-act button")]
    .filter((control) => {
      const { left, right, top, bottom } = control.getBoundingClientRect();
      return left < toast.right && right > toast.left && top < toast.bottom && bottom > toast.top;
    })
    .map((control) => control.textContent || control.ariaLabel);
})()`;

describeInBrowser("who did what", () => {
  test("S4.004 the user stops one call, its sibling continues, and the model is told", async () => {
    const sleep = { name: "execute_command", args: { command: "echo begun; sleep 600" } };
    const page = await open([{ calls: [sleep, READ] }, { text: "Went on." }]);
    await start(page);
    const running = card(page, "sleep 600");
    await running.getByText("begun").waitFor();
    await running.getByRole("button", { name: "Stop call" }).click();
    await page.getByText("Went on.").waitFor();
    expect(await running.getAttribute("class")).toContain("is-denied");
    expect(await card(page, "read_file").getAttribute("class")).toContain("is-ok");
    expect(JSON.stringify(fixture().requests.at(-1))).toContain("ada stopped this call");
  });

  test("S3.APPR the inspector explains why a call may run: by role, or by whose approval", async () => {
    const page = await open(READ_THEN_EDIT);
    await start(page);
    const dialog = await review(page);
    await dialog.getByText("As last read").waitFor();
    writeFileSync(join(fixture().root, "src/a.ts"), "export const a = 1; // moved on\n");
    await dialog.getByText("Changed since it was read").waitFor();
    writeFileSync(join(fixture().root, "src/a.ts"), "export const a = 1;\n");
    await dialog.getByText("As last read").waitFor();
    await dialog.getByRole("button", { name: /Allow once/ }).click();
    await page.getByText("All done.").waitFor();
    await card(page, "edit").locator(".card-head").click();
    await card(page, "edit").getByRole("button", { name: "Details" }).click();
    const inspector = page.getByRole("complementary", { name: "Call" });
    await inspector.getByText("Allowed by you.").waitFor();
    await inspector.getByText(/^It asked: /).waitFor();
    await inspector.getByRole("button", { name: "Previous call" }).click();
    await inspector.getByText("The role allows it without asking, and it changes nothing.").waitFor();
    expect(await seriousProblems(page, "inspector")).toEqual([]);
  });

  test("S4.002.a announces a file that a call creates, and opens it from there", async () => {
    const write = { name: "write_file", args: { path: "deep/new.txt", content: "one\ntwo\n" } };
    const page = await open([{ calls: [write] }, { text: "Ok." }]);
    await page.getByRole("treeitem", { name: "src" }).waitFor();
    await start(page);
    const toast = page.locator(".toast");
    await toast.getByText("write_file created new.txt").waitFor();
    await toast.getByRole("button", { name: "Open" }).click();
    await page.locator(".cm-content").getByText("two").waitFor();
    await expect.poll(() => page.locator(".cm-gutterElement.by-run").count()).toBe(2);
  });

  test("S4.002.a the toast covers no button for answering, sending or stopping, at any width", async () => {
    const write = { name: "write_file", args: { path: "new.txt", content: "one\n" } };
    const wait = { name: "execute_command", args: { command: "sleep 600" } };
    const page = await open([{ calls: [write] }, { calls: [wait] }]);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole("treeitem", { name: "src" }).waitFor();
    await start(page);
    const toast = page.locator(".toast");
    await toast.waitFor();
    // It stays while the pointer is on it.
    await toast.hover();
    await card(page, "sleep 600").waitFor();
    const covered = () => page.evaluate<string[]>(COVERED_BY_TOAST);
    expect(await covered()).toEqual([]);
    for (const [width, height] of [
      [1440, 900],
      [1000, 700],
      [730, 600],
      [390, 844],
    ] as const) {
      await page.setViewportSize({ width, height });
      expect({ width, covered: await covered() }).toEqual({ width, covered: [] });
    }
    await page.setViewportSize({ width: 1000, height: 700 });
    await toast.locator("button").first().focus();
    await page.locator("body").press("[");
    await expect.poll(() => page.locator(".app > aside.side").count()).toBe(0);
    expect(await covered()).toEqual([]);
  });

  test("S4.002.b bars distinguish lines of runs from own edits, and the banner names who changed the file", async () => {
    const script = [
      { calls: [READ] },
      { calls: [EDIT] },
      { text: "First." },
      { calls: [{ name: "edit", args: { path: "src/a.ts", old_string: "a = 2", new_string: "a = 3" } }] },
      { text: "Second." },
    ];
    const page = await open(script, { files: { "src/a.ts": "// top\nexport const a = 1;\n// end\n" } });
    await start(page);
    await card(page, "edit")
      .getByRole("button", { name: /Allow once/ })
      .click();
    await page.getByText("First.").waitFor();
    await page.getByRole("treeitem", { name: "src" }).click();
    await page.getByRole("treeitem", { name: /a\.ts/ }).click();
    await expect.poll(() => page.locator(".cm-gutterElement.by-run").count()).toBe(1);
    await page.getByText("written by runs").waitFor();
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+Home");
    await page.keyboard.type("// mine\n");
    await expect.poll(() => page.locator(".cm-gutterElement.by-you").count()).toBe(1);
    expect(await page.locator(".cm-gutterElement.by-run").count()).toBe(1);
    expect(await seriousProblems(page, "bars")).toEqual([]);
    await page.getByRole("link", { name: "Haft, new run" }).click();
    await page.getByRole("link", { name: "Do it." }).first().click();
    await page.getByLabel("Message").fill("Once more.");
    await page.keyboard.press("Control+Enter");
    await card(page, "edit")
      .getByRole("button", { name: /Allow once/ })
      .click();
    await page.getByText("Second.").waitFor();
    await page.getByRole("treeitem", { name: /a\.ts/ }).click();
    const banner = page.locator(".banner");
    await banner.getByText(/by edit, .* ago, while you have 1 unsaved line\./).waitFor();
    writeFileSync(join(fixture().root, "src/a.ts"), "// theirs\n");
    await banner.getByText(/outside Haft, while you have 1 unsaved line\./).waitFor();
    await page.getByRole("button", { name: "Reload" }).click();
    await expect.poll(() => page.locator(".cm-gutterElement.by-run").count()).toBe(0);
    expect(read("src/a.ts")).toBe("// theirs\n");
  });

  test("S4.002 renders part of a folder of 20,000 files, and keys reach its end", async () => {
    const names = Array.from({ length: 20_000 }, (_, index) => `big/f${String(index).padStart(5, "0")}.txt`);
    const page = await open([], { files: Object.fromEntries(names.map((name) => [name, ""])) });
    await page.getByRole("treeitem", { name: "big" }).click();
    await page.getByRole("treeitem", { name: "f00000.txt" }).waitFor();
    expect(await page.getByRole("treeitem").count()).toBeLessThan(200);
    const topOf = async (name: string) => (await page.getByRole("treeitem", { name }).boundingBox())?.y ?? 0;
    expect((await topOf("f00001.txt")) - (await topOf("f00000.txt"))).toBeLessThan(30);
    await page.getByRole("treeitem", { name: "f00000.txt" }).focus();
    await page.keyboard.press("End");
    const focused = page.locator("[role=treeitem]:focus");
    await expect.poll(() => focused.getAttribute("data-path")).toBe("big/f19999.txt");
    await page.keyboard.press("ArrowUp");
    await expect.poll(() => focused.getAttribute("data-path")).toBe("big/f19998.txt");
    await page.keyboard.press("ArrowLeft");
    await expect.poll(() => focused.getAttribute("data-path")).toBe("big");
    writeFileSync(join(fixture().root, "big/a-new-one.txt"), "");
    await page.getByRole("treeitem", { name: "a-new-one.txt" }).waitFor();
    expect(await page.getByRole("treeitem").count()).toBeLessThan(200);
  });
});
