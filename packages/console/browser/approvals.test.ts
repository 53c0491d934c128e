import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Script, ScriptedTurn } from "@haft/agent/scripted-model";
import { expect, test } from "vitest";
import {
  card,
  describeInBrowser,
  EDIT,
  FILES,
  READ,
  READ_THEN_EDIT,
  review,
  start,
  usePages,
} from "../test-support/console-page.js";

const { open, fixture, read } = usePages();
const FIRST: ScriptedTurn = { calls: [READ] };

describeInBrowser("approvals", () => {
  test("S3.APPR steps 1 to 3: a call that needs approval pauses, and a dialog shows its effect", async () => {
    const page = await open(READ_THEN_EDIT);
    await start(page);
    const dialog = await review(page);
    await dialog.getByText("Change a.ts?").waitFor();
    expect(await dialog.locator(".diff").textContent()).toContain("a = 2");
    expect(await dialog.locator(".factbar").textContent()).toMatch(/Risk.*Size.*Why it asks/s);
    expect(await dialog.locator(".model-says").textContent()).toContain("I change it.");
    expect(read("src/a.ts")).toBe(FILES["src/a.ts"]);
    expect(fixture().requests.length).toBe(2);
    await expect.poll(() => page.title()).toMatch(/^\(1\) /);
  });

  test("S3.APPR step 4, FE10: validates, rehearses and asks about modified arguments, then runs them", async () => {
    const page = await open(READ_THEN_EDIT);
    await start(page);
    const dialog = await review(page);
    await dialog.locator("#field-new_string").fill("a = 42");
    await dialog.getByText("Rehearsed with your edit").waitFor();
    expect(await dialog.locator(".diff").textContent()).toContain("a = 42");
    expect(read("src/a.ts")).toBe(FILES["src/a.ts"]);
    await dialog.getByRole("button", { name: "JSON", exact: true }).click();
    await dialog.locator("#args-json").fill("{ not json");
    await dialog.getByText(/Not valid JSON/).waitFor();
    const allow = dialog.getByRole("button", { name: /Review edited call/ });
    expect(await allow.isDisabled()).toBe(true);
    await dialog.locator("#args-json").fill(JSON.stringify({ ...EDIT.args, new_string: "a = 43" }));
    await expect.poll(() => dialog.locator(".diff").textContent()).toContain("a = 43");
    await allow.click();
    await dialog.locator(".factbar").getByText("the arguments were changed").waitFor();
    expect(await dialog.locator(".diff").textContent()).toContain("a = 43");
    expect(read("src/a.ts")).toBe(FILES["src/a.ts"]);
    await dialog.getByRole("button", { name: /Allow once/ }).click();
    await page.getByText("All done.").waitFor();
    expect(read("src/a.ts")).toBe("export const a = 43;\n");
  });

  test("FE10 asks about an edited call with the current files", async () => {
    const page = await open(READ_THEN_EDIT);
    await start(page);
    const dialog = await review(page);
    await dialog.locator("#field-new_string").fill("a = 42");
    await dialog.getByText("Rehearsed with your edit").waitFor();
    writeFileSync(join(fixture().root, "src/a.ts"), "// theirs\nexport const a = 1;\n");
    await dialog.getByRole("button", { name: /Review edited call/ }).click();
    await expect.poll(() => dialog.locator(".diff").textContent()).toContain("// theirs");
    expect(read("src/a.ts")).toBe("// theirs\nexport const a = 1;\n");
    await dialog.getByRole("button", { name: /Allow once/ }).click();
    await page.getByText("All done.").waitFor();
    expect(read("src/a.ts")).toBe("// theirs\nexport const a = 42;\n");
  });

  test("S3.APPR step 5: a denial carries feedback and the run continues; deny and stop ends it", async () => {
    const page = await open([FIRST, { calls: [EDIT] }, { calls: [EDIT] }, { text: "Never." }]);
    await start(page);
    const first = await review(page);
    await first.getByLabel("Tell the model").fill("Use three.");
    await first.getByRole("button", { name: /^Deny N/ }).click();
    await expect.poll(() => JSON.stringify(fixture().requests)).toContain("Use three.");
    await expect.poll(() => card(page, "edit").count()).toBe(2);
    const second = await review(page);
    await second.getByRole("button", { name: /Deny and stop/ }).click();
    await page.getByText("Denied and stopped").first().waitFor();
    expect(read("src/a.ts")).toBe(FILES["src/a.ts"]);
  });

  test("S3.APPR a waiting approval survives a reload", async () => {
    const page = await open(READ_THEN_EDIT);
    await start(page);
    await review(page);
    await page.reload();
    const dialog = await review(page);
    await dialog.getByRole("button", { name: /Allow once/ }).click();
    await page.getByText("All done.").waitFor();
    expect(read("src/a.ts")).toBe("export const a = 2;\n");
  });

  test("S3.APPR a waiting approval survives a restart of the server, and the open page reconnects", async () => {
    const page = await open(READ_THEN_EDIT);
    await start(page);
    await card(page, "edit")
      .getByRole("button", { name: /Review/ })
      .waitFor();
    await fixture().restart();
    const dialog = await review(page);
    await dialog.getByRole("button", { name: /Allow once/ }).click();
    await page.getByText("All done.").waitFor();
    expect(read("src/a.ts")).toBe("export const a = 2;\n");
  });

  test("S3.APPR the first of two windows wins, and the other shows that", async () => {
    const first = await open(READ_THEN_EDIT);
    await start(first);
    const winner = await review(first);
    const second = await first.context().newPage();
    await second.goto(first.url());
    const loser = await review(second);
    await winner.getByRole("button", { name: /Allow once/ }).click();
    await loser.getByText(/Already allowed by/).waitFor();
    expect(await loser.getByRole("button", { name: /Allow once/ }).count()).toBe(0);
    await loser.getByRole("button", { name: "Close", exact: true }).click();
    await second.getByText("All done.").waitFor();
  });

  test("S3.APPR parallel calls are answered one by one, in any order", async () => {
    const files = { "a.txt": "one\n", "b.txt": "one\n" };
    const edits = Object.keys(files).map((path) => ({
      name: "edit",
      args: { path, old_string: "one", new_string: "two" },
    }));
    const reads = Object.keys(files).map((path) => ({ name: "read_file", args: { path } }));
    const page = await open([{ calls: reads }, { calls: edits }, { text: "All done." }] as Script, { files });
    await start(page);
    const waiting = page.locator("article.card.is-waiting");
    await expect.poll(() => waiting.count()).toBe(2);
    await waiting
      .last()
      .getByRole("button", { name: /Allow once/ })
      .click();
    await expect.poll(() => waiting.count()).toBe(1);
    expect(read("a.txt")).toBe("one\n");
    await waiting.getByRole("button", { name: /Deny/ }).click();
    await page.getByText("All done.").waitFor();
    expect([read("a.txt"), read("b.txt")]).toEqual(["one\n", "two\n"]);
  });

  test("S3.APPR shows the exact rule and remembers it for the run", async () => {
    const again = { ...EDIT, args: { ...EDIT.args, old_string: "a = 2", new_string: "a = 3" } };
    const page = await open([FIRST, { calls: [EDIT] }, { calls: [again] }, { text: "All done." }]);
    await start(page);
    const dialog = await review(page);
    expect(await dialog.locator(".rule").textContent()).toContain("src/a.ts");
    await dialog.getByRole("button", { name: /Allow for this run/ }).click();
    await page.getByText("All done.").waitFor();
    expect(read("src/a.ts")).toBe("export const a = 3;\n");
  });

  test("S3.APPR the card of a waiting command shows every argument", async () => {
    const args = { command: "curl example.com", network: true };
    const page = await open([{ calls: [{ name: "execute_command", args }] }, { text: "All done." }], {
      runtime: { commands: { onUnlisted: "ask" } },
    });
    await start(page);
    const waiting = page.locator("article.card.is-waiting");
    expect(await waiting.locator(".other-args").textContent()).toContain("networktrue");
  });
});
