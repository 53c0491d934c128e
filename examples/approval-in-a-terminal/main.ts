import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { createNodeRuntime } from "@haft/runtime-node";
import { AppendFile, ReadFile, WriteFile } from "@haft/tool-fs";
import { sampleWorkspace } from "../sample-workspace.js";
import { askInTerminal } from "./ask-in-terminal.js";

// In a terminal the example asks you; elsewhere it types these answers.
const isPerson = process.stdin.isTTY === true;
const input = isPerson ? process.stdin : Readable.from(["y\n", "n\n", "keep the heading\n", "s\n"]);
const sample = sampleWorkspace({ "plan.md": "# Plan\n", "log.md": "" });
const runtime = await createNodeRuntime({
  ...sample,
  role: "editor",
  tools: [AppendFile, ReadFile, WriteFile],
  approver: askInTerminal(input, process.stdout),
});

await runtime.call("read_file", { path: "plan.md" });
const allowed = await runtime.call("write_file", { path: "plan.md", content: "# Plan\n\nShip it.\n" });
const denied = await runtime.call("write_file", { path: "plan.md", content: "Ship it.\n" });
const remembered = await runtime.call("append_file", { path: "log.md", content: "one\n" });
const notAsked = await runtime.call("append_file", { path: "log.md", content: "two\n" });
for (const { text } of [allowed, denied, remembered, notAsked]) console.log(text);

if (!isPerson) {
  assert.ok(allowed.ok, allowed.text);
  // A denied call has no effect, and the model receives the person's feedback.
  assert.equal(!denied.ok && denied.error.code, "APPROVAL_DENIED");
  assert.match(denied.text, /keep the heading/);
  assert.equal(readFileSync(join(sample.workspace, "plan.md"), "utf8"), "# Plan\n\nShip it.\n");
  // "Same again" covers only this tool, this file and this kind of change.
  assert.equal(readFileSync(join(sample.workspace, "log.md"), "utf8"), "one\ntwo\n");
  assert.equal((await runtime.grants.list())[0]?.label, "append_file may modify log.md");
}

await runtime.dispose();
sample.remove();
