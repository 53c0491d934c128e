import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createNodeRuntime } from "@haft/runtime-node";
import { DeleteFile, ReadFile, WriteFile } from "@haft/tool-fs";
import { sampleWorkspace } from "../sample-workspace.js";
import { serveApprovals } from "./approval-page.js";

const sample = sampleWorkspace({ "plan.md": "# Plan <draft>\n" });
const tools = [ReadFile, WriteFile, DeleteFile];
const runtime = await createNodeRuntime({ ...sample, role: "editor", tools, decidable: true });
const page = await serveApprovals(runtime);
console.log(page.url);

await runtime.call(ReadFile, { path: "plan.md" });
const writing = runtime.call(WriteFile, { path: "plan.md", content: "# Plan\n" });
await press("Approve", /-# Plan &lt;draft>/);
assert.ok((await writing).ok);
assert.equal(readFileSync(join(sample.workspace, "plan.md"), "utf8"), "# Plan\n");

const deleting = runtime.call(DeleteFile, { path: "plan.md" });
await press("Deny", /delete plan\.md/);
const denied = await deleting;
assert.equal(!denied.ok && denied.error.code, "APPROVAL_DENIED");
assert.ok(existsSync(join(sample.workspace, "plan.md")));

page.close();
await runtime.dispose();
sample.remove();

/** Acts as a person in a browser: reloads the page until it shows the question, and presses a button. */
async function press(label: "Approve" | "Deny", shows: RegExp): Promise<void> {
  const html = await shownPage(shows);
  const action = /action="([^"]+)"/.exec(html)?.[1] ?? "";
  const send = (origin: string) =>
    fetch(new URL(action, page.url), {
      method: "POST",
      headers: { origin },
      body: new URLSearchParams({ approved: String(label === "Approve") }),
    });
  assert.equal((await send("https://elsewhere.example")).status, 409);
  assert.equal((await send(new URL(page.url).origin)).status, 200);
}

async function shownPage(shows: RegExp): Promise<string> {
  for (;;) {
    const html = await (await fetch(page.url)).text();
    if (shows.test(html)) return html;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
