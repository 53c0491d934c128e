import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { describeInBrowser, review, start, usePages } from "../test-support/console-page.js";
import { seriousProblems } from "../test-support/serious-problems.js";

const { open, fixture } = usePages();

const HOSTILE = `<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>\u202egnp.exe`;
const NAME = "<b onclick=alert(1)>\u202egnp.txt";
const FILES = { "a.txt": `${HOSTILE}\n`, [NAME]: `${HOSTILE}\n` };
const SCRIPT = [
  {
    text: `${HOSTILE}\n\n| ${HOSTILE} | b |\n| --- | --- |\n| c | ${HOSTILE} |`,
    calls: [
      { name: "read_file", args: { path: "a.txt" } },
      { name: HOSTILE, args: { [HOSTILE]: HOSTILE } },
      { name: "read_file", args: { path: NAME } },
      { name: "grep", args: { pattern: "onerror" } },
    ],
  },
  {
    text: HOSTILE,
    calls: [
      { name: "edit", args: { path: NAME, old_string: "<img", new_string: "<svg onload=window.hacked=1>" } },
    ],
  },
  {
    text: `${HOSTILE} [a link](javascript:window.hacked=1) <javascript:window.hacked=1> ![x](http://evil.example/x.png)`,
  },
];

describeInBrowser("hostile text", () => {
  test("S4 console: names, output, diffs and the model inject nothing, and no other host is contacted", async () => {
    const page = await open(SCRIPT, { files: FILES });
    const problems = watch(page);
    await page.getByLabel("Task").fill(HOSTILE);
    await page.keyboard.press("Control+Enter");
    await page
      .getByRole("button", { name: /Review/ })
      .first()
      .waitFor();
    await page.locator("button.card-head[aria-expanded=false]").evaluateAll((heads) => {
      for (const head of heads) (head as HTMLElement).click();
    });
    problems.push(...(await seriousProblems(page, "run")));
    const [base, , runId] = new URL(page.url()).pathname.split("/").slice(1);
    const origin = `http://127.0.0.1:${fixture().server.port}`;
    for (const [path, isThere] of [
      ["approvals", ".inbox-row"],
      [`files/${encodeURIComponent(NAME)}`, ".cm-content"],
      [`history/${runId}`, ".gantt"],
      ["tools", ".try"],
      ["rules", ".explain"],
      ["audit", ".run-head"],
    ] as const) {
      await page.goto(`${origin}/${base}/${path}`);
      await page.locator(isThere).first().waitFor();
      problems.push(...(await seriousProblems(page, path)), ...(await hiddenDirections(page, path)));
    }
    await page.goto(`${origin}/${base}/history/${runId}`);
    for (const tab of ["Replay", "Changes", "Log"]) {
      await page.getByRole("button", { name: tab, exact: true }).click();
      problems.push(...(await seriousProblems(page, tab)), ...(await hiddenDirections(page, tab)));
    }
    await page.keyboard.press("Control+k");
    await page.getByRole("option").first().waitFor();
    problems.push(...(await hiddenDirections(page, "palette")));
    await page.keyboard.press("Escape");
    await page.goto(`${origin}/${base}/approvals`);
    await page.locator(".inbox-row").first().click();
    const dialog = page.locator("dialog.dialog[open]");
    await dialog.getByText("U+202E").first().waitFor();
    problems.push(...(await seriousProblems(page, "dialog")), ...(await hiddenDirections(page, "dialog")));
    await dialog.getByRole("button", { name: /Allow once/ }).click();
    await page.goto(`${origin}/${base}/run/${runId}`);
    await page.getByRole("region", { name: "Summary" }).waitFor();
    problems.push(...(await hiddenDirections(page, "run at its end")));
    expect(await page.evaluate("window.hacked")).toBeUndefined();
    expect(
      await page
        .locator(
          "[role=log] :is(script, b[onclick], img, svg[onload], a[href^='javascript'], a[href^='http'])",
        )
        .count(),
    ).toBe(0);
    expect([...new Set(problems)]).toEqual([]);
  });

  test("S4 console: files and folders named like object members are in the tree, with their marks", async () => {
    const names = ["__proto__", "constructor", "valueOf"];
    const page = await open(
      [
        { calls: [{ name: "read_file", args: { path: "constructor" } }] },
        { calls: [{ name: "edit", args: { path: "constructor", old_string: "1", new_string: "2" } }] },
        { text: "Ok." },
      ],
      { files: { constructor: "1\n", valueOf: "1\n", "__proto__/toString": "1\n" } },
    );
    const problems = watch(page);
    await page.reload();
    for (const name of names) await page.getByRole("treeitem", { name }).waitFor();
    await page.getByRole("treeitem", { name: "__proto__" }).click();
    await page.getByRole("treeitem", { name: "toString" }).waitFor();
    await start(page);
    const dialog = await review(page);
    await dialog.getByRole("button", { name: /Allow once/ }).click();
    await page.getByRole("treeitem", { name: /constructor.*modified/ }).waitFor();
    expect(problems).toEqual([]);
  });
});

/** Lists texts, titles and labels with a character that reverses what follows, so that "gnp.exe" reads as "exe.png". */
async function hiddenDirections(page: Page, where: string): Promise<readonly string[]> {
  const found = await page.evaluate<string[]>(`(() => {
    const turns = /[\\u202a-\\u202e\\u2066-\\u2069]/;
    const isUntold = (element) => element.matches("textarea, input, option, .cm-content, .cm-content *");
    const texts = [...document.querySelectorAll("body *")].filter((element) => !isUntold(element)).flatMap((element) => [
      ...[...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.data),
      ...["title", "aria-label", "aria-valuetext", "alt"].map((name) => element.getAttribute(name) ?? ""),
    ]);
    return [document.title, ...texts].filter((text) => turns.test(text)).map((text) => text.slice(0, 80));
  })()`);
  return found.map((text) => `${where} turns the direction: ${JSON.stringify(text)}`);
}

/** What must not happen on any screen: requests to others, exceptions, and refusals of the content policy. */
function watch(page: Page): string[] {
  const problems: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(`http://127.0.0.1:${fixture().server.port}/`))
      problems.push(`asked ${request.url()}`);
  });
  page.on("pageerror", (error) => problems.push(`threw ${error.message}`));
  page.on("console", (message) => {
    if (/Content Security Policy|TrustedHTML/.test(message.text())) problems.push(message.text());
  });
  return problems;
}
