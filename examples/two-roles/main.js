// Two roles share a workspace: one writes, and is asked about what it overwrites; one only reads, and has no tool that writes.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createNodeRuntime } from "@haft/runtime-node";
import "@haft/tool-fs";
import { sampleWorkspace } from "../sample-workspace.js";

const sample = sampleWorkspace({ "plan.md": "# Plan\n" });
const asked = [];

const reviewer = await createNodeRuntime({ ...sample, role: "reader" });
const author = await createNodeRuntime({
  ...sample,
  role: "editor",
  approver: async (request) => {
    asked.push(request);
    return { approved: request.changes.every((change) => change.path === "plan.md") };
  },
});

// The reader's tools do not include one that writes, and calling one anyway names what is missing.
assert.ok(!reviewer.tools().some((tool) => tool.name === "write_file"));
const refused = await reviewer.call("write_file", { path: "plan.md", content: "" });
assert.equal(refused.error.code, "PERMISSION_DENIED");

// A new file asks nobody. Overwriting needs a read first, and then shows its diff to the approver.
const created = await author.call("write_file", { path: "todo.md", content: "- review\n" });
assert.ok(created.ok, created.text);
assert.equal(asked.length, 0);

const unread = await author.call("write_file", { path: "plan.md", content: "# Plan\n\nShip it.\n" });
assert.equal(unread.error.code, "FILE_NOT_READ");
await author.call("read_file", { path: "plan.md" });
const written = await author.call("write_file", { path: "plan.md", content: "# Plan\n\nShip it.\n" });
assert.ok(written.ok, written.text);
assert.equal(asked.length, 1);
console.log(asked[0].changes[0].diff);

// The reader sees what was written; the author can take it back.
const seen = await reviewer.call("read_file", { path: "plan.md" });
assert.match(seen.value.content, /Ship it/);
await author.undo();
assert.equal(readFileSync(join(sample.workspace, "plan.md"), "utf8"), "# Plan\n");

await Promise.all([reviewer.dispose(), author.dispose()]);
sample.remove();
