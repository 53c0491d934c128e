import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { type ApprovalRequest, createNodeRuntime } from "@haft/runtime-node";
import { cedarPolicy } from "@haft/runtime-node/cedar";
import { ReadFile, WriteFile } from "@haft/tool-fs";
import { sampleWorkspace } from "../sample-workspace.js";

const sample = sampleWorkspace({
  "notes.md": "hello\n",
  "contracts/acme.md": "secret terms\n",
  "release/version.txt": "1\n",
});
const asked: ApprovalRequest[] = [];

const runtime = await createNodeRuntime({
  ...sample,
  tools: [ReadFile, WriteFile],
  policies: [
    await cedarPolicy({ policies: readFileSync(new URL("policies.cedar", import.meta.url), "utf8") }),
  ],
  approver: async (request) => {
    asked.push(request);
    return { approved: false, feedback: "not on a Friday" };
  },
});

const notes = await runtime.call("read_file", { path: "notes.md" });
assert.ok(notes.ok, notes.text);

const contract = await runtime.call("read_file", { path: "contracts/acme.md" });
assert.equal(!contract.ok && contract.error.code, "POLICY_DENIED");
assert.match(contract.text, /the Cedar policy contracts are closed forbids File contracts\/acme\.md/);
console.log(contract.text);

await runtime.call("read_file", { path: "release/version.txt" });
const release = await runtime.call("write_file", { path: "release/version.txt", content: "2\n" });
assert.equal(!release.ok && release.error.code, "APPROVAL_DENIED");
assert.match(asked[0]?.reason ?? "", /releases need a person/);
console.log(asked[0]?.reason);

await runtime.dispose();
sample.remove();
