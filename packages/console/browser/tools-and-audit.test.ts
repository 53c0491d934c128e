import { readFileSync } from "node:fs";
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
import { seriousProblems } from "../test-support/serious-problems.js";

const { open, fixture, read } = usePages();

describeInBrowser("tools, rules and audit", () => {
  test("S4 console: tries a tool from its form: rehearsed, refused, asked about and run", async () => {
    const page = await open([]);
    await page.getByRole("link", { name: "Tools" }).click();
    await page.getByRole("link", { name: /^delete_file/ }).click();
    const form = page.getByRole("region", { name: "Try it" });
    await form.getByLabel(/^path/).fill("notes.md");
    await form.getByRole("button", { name: "Rehearse" }).click();
    await form.getByText("Rehearsed, nothing changed").waitFor();
    expect(await form.locator(".diff tr.del").textContent()).toContain("# Notes");
    expect(read("notes.md")).toBe(FILES["notes.md"]);
    expect(await seriousProblems(page, "rehearsed tool")).toEqual([]);
    await form.getByLabel(/^path/).fill("../out.md");
    await form.getByRole("button", { name: "Run", exact: true }).click();
    await form.getByText("INVALID_PATH").first().waitFor();
    await form.getByLabel(/^path/).fill("notes.md");
    await form.getByRole("button", { name: "Run", exact: true }).click();
    await form.getByRole("button", { name: "Review" }).click();
    const dialog = page.locator("dialog.dialog[open]");
    await dialog.getByRole("button", { name: /Allow once/ }).click();
    await form.locator(".result", { hasText: "Done" }).waitFor();
    expect(() => read("notes.md")).toThrow(/ENOENT/);
    await page.getByRole("link", { name: "grep", exact: true }).click();
    await form.getByText(/more, not given/).click();
    await form.getByLabel(/^glob/).click();
    await page.keyboard.type("[a-z]*.md");
    expect(await form.getByLabel(/^glob/).inputValue()).toBe("[a-z]*.md");
    await form.getByText(/more, 1 given/).waitFor();
    await page.getByRole("link", { name: /^execute_command/ }).click();
    await form.getByLabel(/^command/).fill("false");
    await form.getByRole("button", { name: "Run", exact: true }).click();
    await form.locator(".result .is-failed").first().waitFor();
    await form.locator(".result .row", { hasText: "Exit code 1" }).waitFor();
  });

  test("S4 console: explains a call in a run, and any other call", async () => {
    const page = await open(READ_THEN_EDIT);
    await start(page);
    await card(page, "read_file").locator(".card-head").click();
    await card(page, "read_file").getByRole("button", { name: "Details" }).click();
    await page.getByRole("button", { name: "Explain this call" }).click();
    const explain = page.getByRole("region", { name: "Explain a call" });
    await explain.getByText(/^allow/).waitFor();
    expect(await explain.getByLabel("arguments").inputValue()).toBe('{"path":"src/a.ts"}');
    await explain.getByLabel("tool").selectOption("execute_command");
    await explain.getByLabel("arguments").fill('{"command":"rm -rf /"}');
    await explain.getByRole("button", { name: "Explain", exact: true }).click();
    await explain.getByText(/^deny/).waitFor();
    await explain.getByLabel("arguments").fill("{ not json");
    await explain.getByRole("button", { name: "Explain", exact: true }).click();
    await explain.getByText(/JSON/).waitFor();
    expect(await seriousProblems(page, "explain")).toEqual([]);
  });

  test("S4 console: the audit log can be filtered, verified and exported as JSON lines", async () => {
    const page = await open(READ_THEN_EDIT);
    await start(page);
    const dialog = await review(page);
    await dialog.getByRole("button", { name: /Allow once/ }).click();
    await page.getByText("All done.").waitFor();
    await page.getByRole("link", { name: "Audit" }).click();
    const rows = page.locator(".audit tbody tr");
    await rows.getByText("allowed by ada").first().waitFor();
    const all = await rows.count();
    await page.getByLabel("Filter").fill("read_file");
    await expect.poll(() => rows.count()).toBeLessThan(all);
    await page.getByLabel("Filter").fill("never called");
    await page.getByText(/No decision matches/).waitFor();
    await page.getByRole("button", { name: "Verify" }).click();
    await page.getByText(/\d+ records intact/).waitFor();
    const downloading = page.waitForEvent("download");
    await page.getByRole("link", { name: "Export" }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe("haft-audit.jsonl");
    const lines = readFileSync(await download.path(), "utf8")
      .trim()
      .split("\n");
    expect(lines.map((line) => JSON.parse(line).tool)).toContain("edit");
    expect(lines).toHaveLength(all);
    expect(fixture().requests.length).toBeGreaterThan(0);
  });
});
