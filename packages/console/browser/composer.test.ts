import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import {
  card,
  describeInBrowser,
  READ,
  READ_THEN_EDIT,
  start,
  usePages,
} from "../test-support/console-page.js";
import { seriousProblems } from "../test-support/serious-problems.js";

const { open, fixture, read } = usePages();
const FILES = { "src/deep/hidden-gem.ts": "export const gem = 1;\n", "notes.md": "# Notes\n" };

describeInBrowser("composer", () => {
  test("S4 console: @ picks a file by keyboard, also from folders that were never opened", async () => {
    const page = await open([{ text: "All done." }], { files: FILES });
    const task = page.getByLabel("Task");
    await task.click();
    await page.keyboard.type("Explain @gem");
    const option = page.getByRole("option", { name: /src\/deep\/hidden-gem\.ts/ });
    await option.waitFor();
    expect(await option.getAttribute("aria-selected")).toBe("true");
    expect(await seriousProblems(page, "file picker")).toEqual([]);
    await page.keyboard.press("Enter");
    expect(await task.inputValue()).toBe("Explain `src/deep/hidden-gem.ts` ");
    expect(await page.getByRole("option").count()).toBe(0);
    await page.keyboard.type("please");
    await page.keyboard.press("Control+Enter");
    await page.getByText("All done.").waitFor();
    expect(JSON.stringify(fixture().requests[0])).toContain("Explain `src/deep/hidden-gem.ts` please");
  });

  test("S4 console: Escape leaves the typed text alone, and the button picks with the mouse", async () => {
    const page = await open([], { files: FILES });
    const task = page.getByLabel("Task");
    await task.click();
    await page.keyboard.type("mail ada@");
    expect(await page.getByRole("option").count()).toBe(0);
    await page.keyboard.type(" @notes");
    await page.getByRole("option", { name: /notes\.md/ }).waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => page.getByRole("option").count()).toBe(0);
    expect(await task.inputValue()).toBe("mail ada@ @notes");
    await task.fill("Read");
    await page.getByRole("button", { name: "Add file" }).click();
    await page.getByRole("option", { name: /notes\.md/ }).click();
    expect(await task.inputValue()).toBe("Read `notes.md` ");
    await expect.poll(() => task.evaluate((field) => field === document.activeElement)).toBe(true);
  });

  test("S4 console: / calls any tool from a form and inserts its result into the message", async () => {
    const page = await open([{ text: "All done." }], { files: FILES });
    const task = page.getByLabel("Task");
    await task.click();
    await page.keyboard.type("/gre");
    await page.getByRole("option", { name: /^grep/ }).waitFor();
    await page.keyboard.press("Enter");
    const dialog = page.locator("dialog.dialog[open]");
    await dialog.getByLabel("pattern").fill("gem");
    expect(await seriousProblems(page, "tool form")).toEqual([]);
    await dialog.getByRole("button", { name: "Run", exact: true }).click();
    await dialog.getByText(/hidden-gem\.ts/).waitFor();
    await dialog.getByRole("button", { name: "Add to message" }).click();
    await expect.poll(() => task.inputValue()).toMatch(/grep.*hidden-gem\.ts/s);
    await page.keyboard.press("Control+Enter");
    await page.getByText("All done.").waitFor();
    expect(JSON.stringify(fixture().requests[0])).toContain("export const gem");
  });

  test("S4 console: a closed dialog returns the focus before the next key", async () => {
    const page = await open([], { files: FILES });
    const task = page.getByLabel("Task");
    await task.click();
    await page.keyboard.type("/gre");
    await page.getByRole("option", { name: /^grep/ }).waitFor();
    await page.keyboard.press("Enter");
    const close = page.locator("dialog.tool-dialog[open]").getByRole("button", { name: /^Close/ });
    await close.waitFor();
    const focused = await close.evaluate(async (button) => {
      (button as HTMLElement).click();
      // The page renders in a microtask; keys arrive later.
      await Promise.resolve();
      await Promise.resolve();
      return document.activeElement?.getAttribute("aria-label");
    });
    expect(focused).toBe("Task");
  });

  test("S4 console: no key is lost or misdirected while dialogs open, follow each other and close", async () => {
    const page = await open([], { files: FILES });
    const task = page.getByLabel("Task");
    await task.click();
    await page.keyboard.type("be");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("call a tool");
    await page.keyboard.press("Enter");
    await page.locator("dialog.tool-dialog[open]").waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.type("fo");
    await page.keyboard.press("Control+k");
    await page.keyboard.press("Escape");
    await page.keyboard.type("re");
    expect(await task.inputValue()).toBe("before");
    expect(await page.locator("dialog[open]").count()).toBe(0);
  });

  test("S4 console: a manual call prompts like a model's call, and is answered where it was made", async () => {
    const page = await open([], { files: FILES });
    await page.getByRole("button", { name: "Call a tool" }).click();
    const form = page.locator("dialog.tool-dialog[open]");
    await form.getByLabel("Tool", { exact: true }).selectOption("delete_file");
    await form.getByLabel("path").fill("notes.md");
    await form.getByRole("button", { name: "Run", exact: true }).click();
    await form.getByRole("button", { name: /Review/ }).click();
    const dialog = page.locator("dialog.dialog[open]").filter({ hasText: "Delete notes.md?" });
    await dialog.getByRole("button", { name: /^Deny N/ }).click();
    await form.getByText("APPROVAL_DENIED").first().waitFor();
    expect(read("notes.md")).toBe("# Notes\n");
  });

  test("S4 console: a message sent while a call waits reaches the model in the next turn", async () => {
    const page = await open(READ_THEN_EDIT);
    await start(page);
    const allow = card(page, "edit").getByRole("button", { name: /Allow once/ });
    await allow.waitFor();
    await page.getByLabel("Message").fill("Use tabs.");
    await page.keyboard.press("Control+Enter");
    await page.locator(".said", { hasText: "Use tabs." }).waitFor();
    expect(JSON.stringify(fixture().requests)).not.toContain("Use tabs.");
    await allow.click();
    await page.getByText("All done.").waitFor();
    expect(JSON.stringify(fixture().requests.at(-1))).toContain("Use tabs.");
  });

  test("S4 console: a message stays in the composer while other screens are open", async () => {
    const page = await open([{ calls: [READ] }, { text: "All done." }]);
    await page.getByLabel("Task").fill("Half a thought");
    await page.getByRole("link", { name: "Rules" }).click();
    await page.getByRole("heading", { name: "Rules", exact: true }).waitFor();
    await page.getByRole("link", { name: "Haft, new run" }).click();
    expect(await page.getByLabel("Task").inputValue()).toBe("Half a thought");
  });

  test("S4 console: text typed while a task or a message is being sent stays and moves to the run", async () => {
    const page = await open([{ text: "First." }, { text: "Second." }]);
    const release = await holdPosts(page, "start");
    await page.getByLabel("Task").fill("Do it.");
    await page.keyboard.press("Control+Enter");
    await page.keyboard.type("and th");
    release();
    await page.getByLabel("Message").waitFor();
    await page.keyboard.type("en cook");
    const message = page.getByLabel("Message");
    expect(await message.inputValue()).toBe("and then cook");
    await page.getByText("First.").waitFor();
    const releaseMessage = await holdPosts(page, "say");
    await page.keyboard.press("Control+Enter");
    await page.keyboard.type("more");
    releaseMessage();
    await page.getByText("Second.").waitFor();
    expect(await message.inputValue()).toBe("more");
    expect(JSON.stringify(fixture().requests.at(-1))).toContain("and then cook");
  });

  test("S4 console: a message that cannot be sent returns to the field, before text typed since", async () => {
    const page = await open([]);
    const release = await holdPosts(page, "start", "refuse");
    await page.getByLabel("Task").fill("Do it.");
    await page.keyboard.press("Control+Enter");
    await page.keyboard.type("Now.");
    release();
    await page.getByText("The server does not answer").waitFor();
    expect(await page.getByLabel("Task").inputValue()).toBe("Do it.\nNow.");
  });

  test("S4 console: each workspace has its own draft of the next task", async () => {
    const page = await open([], { others: { "second-app": FILES } });
    const [first = ""] = page.url().split("/").slice(3);
    await page.getByLabel("Task").fill("For the first.");
    await page.getByLabel("Workspace").selectOption({ index: 1 });
    await expect.poll(() => page.url()).not.toContain(first);
    expect(await page.getByLabel("Task").inputValue()).toBe("");
    await page.getByLabel("Workspace").selectOption({ index: 0 });
    await expect.poll(() => page.getByLabel("Task").inputValue()).toBe("For the first.");
  });
});

/** Holds the next request of a kind until the returned function is called. */
async function holdPosts(page: Page, name: string, how: "send" | "refuse" = "send"): Promise<() => void> {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(`**/${name}`, async (request) => {
    await held;
    await (how === "send" ? request.continue() : request.abort());
  });
  return release;
}
