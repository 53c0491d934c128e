import { expect, test } from "vitest";
import { card, describeInBrowser, start, usePages } from "../test-support/console-page.js";

const { open } = usePages();

describeInBrowser("calls in the conversation", () => {
  test("S4.004.a a call shows its name and arguments while it runs, with its live output", async () => {
    const page = await open([
      { calls: [{ name: "execute_command", args: { command: "echo one && sleep 60" } }] },
      { text: "The summary." },
    ]);
    await start(page);
    const running = card(page, "echo one");
    await running.locator(".is-running").first().waitFor();
    expect(await running.locator(".tool").textContent()).toBe("execute_command");
    expect(await running.locator(".arg").textContent()).toContain("echo one && sleep 60");
    await running.locator(".term").getByText("one", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Stop ⇧Esc" }).click();
    await page.getByText("Stopped").first().waitFor();
  });

  test("S4.004.b a call ends green or red, with its result", async () => {
    const page = await open([
      { calls: [{ name: "read_file", args: { path: "src/a.ts" } }] },
      { calls: [{ name: "read_file", args: { path: "missing.ts" } }] },
      { calls: [{ name: "execute_command", args: { command: "false" } }] },
      { text: "The summary." },
    ]);
    await start(page);
    await page.getByText("The summary.").waitFor();
    const good = card(page, "src/a.ts");
    await good.locator(".is-ok").first().waitFor();
    await good.locator(".card-head").click();
    await good.getByText("export const a = 1;").waitFor();
    const bad = card(page, "missing.ts");
    expect(await bad.getAttribute("class")).toContain("is-failed");
    await bad
      .getByText(/missing\.ts/)
      .first()
      .waitFor();
    const command = card(page, "false");
    expect(await command.getAttribute("class")).toContain("is-failed");
    await command.getByText("exit code 1").first().waitFor();
  });

  test("FU5 a diff is highlighted in its file's syntax and contains every character", async () => {
    const page = await open([
      {
        calls: [
          {
            name: "edit",
            args: {
              path: "src/a.ts",
              old_string: "export const a = 1;",
              new_string: 'export const a = "one"; // \u202E <b>\nexport const b = `\nb`;',
            },
          },
        ],
      },
      { text: "The summary." },
    ]);
    await start(page);
    const edit = card(page, "src/a.ts");
    await edit.locator(".syn-keyword").first().waitFor();
    const coloured = (where: string) => edit.locator(where).allTextContents();
    const keywords = ["export", "const", "export", "const"];
    await expect.poll(() => coloured(".add .syn-keyword")).toEqual(keywords);
    await expect.poll(() => coloured(".add .syn-string")).toEqual(['"one"', "`", "b`"]);
    await expect.poll(() => coloured(".del .syn-number")).toEqual(["1"]);
    expect(await edit.locator(".tx").allTextContents()).toEqual([
      "export const a = 1;",
      'export const a = "one"; // U+202E <b>',
      "export const b = `",
      "b`;",
    ]);
    const [plain, keyword] = await edit
      .locator(".add")
      .first()
      .evaluate((row) =>
        [".tx", ".syn-keyword"].map((name) => getComputedStyle(row.querySelector(name) ?? row).color),
      );
    expect(keyword).not.toBe(plain);
  });

  test("FU5 FA12 renders the model's text as Markdown, with emoji and joined letters", async () => {
    const text = "# Result\n⚠️ *one* of **two** in [docs](https://example.com/a) می‌خواهم\n- a\n  1. b\n> said";
    const page = await open([{ text }]);
    await start(page);
    const prose = page.locator(".prose");
    await prose.locator("blockquote", { hasText: "said" }).waitFor();
    expect(await prose.locator(".heading").textContent()).toBe("Result");
    expect(await prose.locator("p").nth(1).textContent()).toBe(
      "⚠️ one of two in docs (https://example.com/a) می‌خواهم",
    );
    expect(await prose.locator("em, strong").allTextContents()).toEqual(["one", "two"]);
    expect(await prose.locator("ul > li > ol > li").textContent()).toBe("b");
    expect(await prose.locator(":is(.hidden-char, a)").count()).toBe(0);
  });

  test("FU5 the colours of a finished command survive a reload", async () => {
    const page = await open([
      { calls: [{ name: "execute_command", args: { command: "printf '\\033[31mred\\033[0m plain\\n'" } }] },
      { text: "The summary." },
    ]);
    await start(page);
    await page.getByText("The summary.").waitFor();
    const red = () => card(page, "printf").locator(".printed span", { hasText: "red" }).first();
    await card(page, "printf").locator(".card-head").click();
    const before = await red().getAttribute("class");
    await page.reload();
    await card(page, "printf").locator(".card-head").click();
    await red().waitFor();
    expect(await red().getAttribute("class")).toBe(before);
    expect(await card(page, "printf").locator(".term").textContent()).toContain("red plain");
  });

  test("S4.004.b results lose no line: totals of a search, output beside changes, lines that resemble hits", async () => {
    const page = await open(
      [
        { calls: [{ name: "grep", args: { pattern: "const a" } }] },
        { calls: [{ name: "execute_command", args: { command: "echo src/a.ts:1: odd && echo the rest" } }] },
        { calls: [{ name: "execute_command", args: { command: "echo said && touch new.txt" } }] },
        { text: "The summary." },
      ],
      {
        runtime: {
          commands: { onUnlisted: "box" },
          policy: () => ({ effect: "allow", because: "a test" }),
        },
      },
    );
    await start(page);
    await page.getByText("The summary.").waitFor();
    const hits = card(page, "const a");
    await hits.locator(".card-head").click();
    await hits.getByText(/^Found 1 match in 1 file/).waitFor();
    await hits.getByRole("link", { name: "src/a.ts", exact: true }).waitFor();
    const lines = card(page, "echo src/a.ts");
    await lines.locator(".card-head").click();
    expect(await lines.locator(".printed").textContent()).toContain("src/a.ts:1: odd\nthe rest\n");
    const touched = card(page, "echo said");
    await touched.locator(".card-head").click();
    await touched.locator(".printed", { hasText: "said" }).waitFor();
  });

  test("S4.004.c calls are in order, parallel ones side by side, and the summary is last", async () => {
    const page = await open([
      {
        text: "Both at once.",
        calls: [
          { name: "read_file", args: { path: "src/a.ts" } },
          { name: "read_file", args: { path: "notes.md" } },
        ],
      },
      { text: "Then one more.", calls: [{ name: "glob", args: { pattern: "**/*.ts" } }] },
      { text: "The summary." },
    ]);
    await start(page);
    await page.getByText("The summary.").waitFor();
    const texts = (await page.locator("[role=log]").textContent()) ?? "";
    const parts = [
      "Both at once.",
      "src/a.ts",
      "notes.md",
      "Then one more.",
      "**/*.ts",
      "The summary.",
      "Done",
    ];
    const order = parts.map((part) => texts.indexOf(part));
    expect(order).not.toContain(-1);
    expect(order).toEqual([...order].sort((a, b) => a - b));
    const areBeside = async () => {
      const [left, right] = await Promise.all(
        ["src/a.ts", "notes.md"].map((path) => card(page, path).boundingBox()),
      );
      return left?.y === right?.y && (left?.x ?? 0) < (right?.x ?? 0);
    };
    // Between the two checks the conversation may still have scrolled to its end.
    await expect.poll(areBeside).toBe(true);
  });

  test("S4 console: a run is stopped and continued", async () => {
    const page = await open((_body, n) =>
      n === 1
        ? { calls: [{ name: "execute_command", args: { command: "sleep 60" } }] }
        : { text: `Turn ${n}.` },
    );
    await start(page);
    await card(page, "sleep 60").waitFor();
    await page.getByRole("button", { name: "Stop ⇧Esc" }).click();
    await page.getByText("Stopped").first().waitFor();
    await page.getByLabel("Message").fill("Go on.");
    await page.keyboard.press("Control+Enter");
    await page.getByText("Turn 2.").waitFor();
  });
});
