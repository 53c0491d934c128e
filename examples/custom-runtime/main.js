// A runtime from its parts: a role, tools, a workspace, a policy and a gate of your own, and a service that tools share.
// `createNodeRuntime` puts the same parts together for you; the kernel itself knows no files, no terminal and no configuration.
import assert from "node:assert/strict";
import {
  createToolRuntime,
  defaultPolicy,
  defineTool,
  firstOpinion,
  redactStrings,
  s,
  token,
} from "@haft/core";
import { openNodeWorkspace } from "@haft/runtime-node";
import { sampleWorkspace } from "../sample-workspace.js";

const CLOCK = token("clock");

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
const asked = [];
let isNight = false;

const runtime = createToolRuntime({
  role: { name: "clerk", permissions: ["CreateFiles", "WriteFiles"] },
  tools: [Stamp],
  workspace,
  services: [[CLOCK, { isNight: () => isNight }]],
  // A policy is a pure function of the facts. The first that has an opinion counts; none means ask.
  policy: firstOpinion(
    ({ changes }) =>
      changes.some(({ path }) => path.startsWith("keep/"))
        ? { effect: "deny", because: "keep/ is not touched" }
        : undefined,
    defaultPolicy,
  ),
  // A gate asks whoever decides; here nobody is convinced at night.
  gate: {
    ask: async (request) => {
      asked.push(request);
      return { approved: false, feedback: "come back tomorrow" };
    },
  },
  redact: redactStrings((text) => text.replaceAll("hunter2", "[secret]")),
});
const changed = [];
runtime.watch((event) => event.type === "file-changed" && changed.push(event.change));

const byDay = await runtime.call("stamp", { path: "a.txt" });
assert.ok(byDay.ok, byDay.text);
assert.equal(asked.length, 0);
// What leaves the runtime has its secrets taken out; the file has them.
assert.match(changed[0].diff, /password \[secret\]/);
console.log(changed[0].diff);

isNight = true;
const byNight = await runtime.call("stamp", { path: "b.txt" });
assert.equal(byNight.error.code, "APPROVAL_DENIED");
assert.equal(asked[0].reason, "b.txt at night");

const kept = await runtime.call("stamp", { path: "keep/b.txt" });
assert.equal(kept.error.code, "POLICY_DENIED");
console.log(kept.text);

await runtime.dispose();
await workspace.close();
sample.remove();
