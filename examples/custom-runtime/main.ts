import assert from "node:assert/strict";
import { type ApprovalRequest, type ChangeSummary, defineTool, redactStrings, s, token } from "@haft/core";
import { createToolRuntime } from "@haft/core/kernel";
import { openNodeWorkspace } from "@haft/runtime-node";
import { sampleWorkspace } from "../sample-workspace.js";

const CLOCK = token<{ isNight(): boolean }>("clock");

const Stamp = defineTool({
  name: "stamp",
  summary: "Write the time into a file.",
  category: "write",
  permissions: ["CreateFiles", "WriteFiles"],
  approval: ({ args, service }) => (service(CLOCK).isNight() ? { confirm: `${args.path} at night` } : "auto"),
  input: s.object({ path: s.path("File to write") }),
  output: s.object({ path: s.string("The file that was written") }),
  async run({ path }, { workspace }) {
    await workspace.writeText(path, "stamped, password hunter2\n");
    return { path };
  },
});

const sample = sampleWorkspace({ "a.txt": "" });
const workspace = await openNodeWorkspace(sample.workspace, { stateDirectory: sample.stateDirectory });
const asked: ApprovalRequest[] = [];
let isNight = false;

const runtime = createToolRuntime({
  role: { name: "clerk", permissions: ["CreateFiles", "WriteFiles"] },
  tools: [Stamp],
  workspace,
  services: [[CLOCK, { isNight: () => isNight }]],
  // A policy returns an opinion on a call, or undefined. It is added to the built-in policies; a single denial is
  // enough.
  policies: [
    ({ changes }) =>
      changes.some(({ path }) => path.startsWith("keep/"))
        ? { effect: "deny", because: "keep/ is not touched" }
        : undefined,
  ],
  // The approver decides calls that need approval. This one denies everything at night.
  approver: async (request) => {
    asked.push(request);
    return { approved: false, feedback: "come back tomorrow" };
  },
  redact: redactStrings((text) => text.replaceAll("hunter2", "[secret]")),
});
const changed: ChangeSummary[] = [];
runtime.watch((event) => event.type === "file-changed" && changed.push(event.change));

const byDay = await runtime.call("stamp", { path: "a.txt" });
assert.ok(byDay.ok, byDay.text);
assert.equal(asked.length, 0);
// Secrets are redacted in everything that leaves the runtime. The file keeps them.
assert.match(changed[0]?.diff ?? "", /password \[secret\]/);
console.log(changed[0]?.diff);

isNight = true;
const byNight = await runtime.call("stamp", { path: "b.txt" });
assert.equal(!byNight.ok && byNight.error.code, "APPROVAL_DENIED");
assert.equal(asked[0]?.reason, "b.txt at night");

const kept = await runtime.call("stamp", { path: "keep/b.txt" });
assert.equal(!kept.ok && kept.error.code, "POLICY_DENIED");
console.log(kept.text);

await runtime.dispose();
await workspace.close();
sample.remove();
