import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Role } from "@haft/core";
import { createNodeRuntime } from "@haft/runtime-node";
import { Edit } from "@haft/tool-edit";
import { CreateFile, ReadFile } from "@haft/tool-fs";
import { Grep } from "@haft/tool-search";
import { sampleWorkspace } from "../sample-workspace.js";

const planner: Role = {
  name: "planner",
  permissions: ["ReadFiles", "CreateFiles"],
  rules: [
    { effect: "allow", permission: "CreateFiles", when: { path: "plans/**" } },
    { effect: "deny", permission: "CreateFiles", when: { path: { not: "plans/**" } }, reason: "plans only" },
  ],
};
const editor: Role = {
  name: "editor",
  permissions: ["ReadFiles", "WriteFiles"],
  rules: [
    { effect: "ask", permission: "WriteFiles", when: { path: "src/**" } },
    { effect: "deny", permission: "WriteFiles", when: { path: { not: "src/**" } }, reason: "source only" },
  ],
};

const sample = sampleWorkspace({ "src/price.js": "export const vat = 0.16;\n" });
const tools = [ReadFile, Grep, CreateFile, Edit];
const open = (role: Role | "reader") =>
  createNodeRuntime({ ...sample, role, tools, decidable: role === editor });
const plans = await open(planner);
const edits = await open(editor);
const reviews = await open("reader");

// Each agent sees the tools of its role, with its limits in their schemas.
const offered = (runtime: typeof plans) => runtime.tools().map(({ name }) => name);
assert.deepEqual(offered(plans), ["read_file", "grep", "create_file"]);
assert.deepEqual(offered(edits), ["read_file", "grep", "edit"]);
assert.deepEqual(offered(reviews), ["read_file", "grep"]);
assert.match(JSON.stringify(plans.tools().at(-1)?.input), /Only plans\/\*\*\./);

// The planner may write its plan, and nothing else.
const plan = await plans.call(CreateFile, { path: "plans/vat.md", content: "Raise vat to 0.19.\n" });
assert.ok(plan.ok, plan.text);
const astray = await plans.call(CreateFile, { path: "src/new.js", content: "" });
assert.equal(!astray.ok && astray.error.code, "POLICY_DENIED");

// The editor's change waits for the decision of the reviewer, who reads the same workspace.
await edits.call(ReadFile, { path: "src/price.js" });
const asked = new Promise<string>((resolve) => {
  edits.watch((event) => event.type === "approval-requested" && resolve(event.request.stepId));
});
const editing = edits.call(Edit, { path: "src/price.js", old_string: "0.16", new_string: "0.19" });
const approvalId = await asked;
const [request] = await edits.pending();
console.log(request?.changes[0]?.diff);
const current = await reviews.call(ReadFile, { path: "src/price.js" });
assert.match(current.text, /0\.16/);
const isAsPlanned = request?.changes[0]?.diff?.includes("+export const vat = 0.19;") ?? false;
await edits.decide(approvalId, { approved: isAsPlanned, by: { how: "person", who: "reviewer" } });
const edited = await editing;
assert.ok(edited.ok, edited.text);
assert.equal(readFileSync(join(sample.workspace, "src/price.js"), "utf8"), "export const vat = 0.19;\n");

await Promise.all([plans.dispose(), edits.dispose(), reviews.dispose()]);
sample.remove();
