// The main job in one minute, offline: an agent's calls over a throw-away project, with what the user would see.
// Exits non-zero when anything is not as it is shown.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createNodeRuntime } from "@haft/runtime-node";
import "@haft/tool-fs";
import { sampleWorkspace } from "../sample-workspace.js";
import { printCall, printHeading, printQuestion } from "./print-call.js";

const BUG = "export const total = (prices) => prices.reduce((sum, price) => sum - price, 0);\n";
const FIX = "export const total = (prices) => prices.reduce((sum, price) => sum + price, 0);\n";

const sample = sampleWorkspace({
  "src/total.js": BUG,
  "README.md": "# Shop\n",
  ".env": "API_KEY=do-not-show\n",
});
const runtime = await createNodeRuntime({
  ...sample,
  role: "editor",
  approver: async (request) => {
    printQuestion(request);
    return { approved: true };
  },
});
const call = async (tool, args, options) => printCall(tool, args, await runtime.call(tool, args, options));

printHeading("An agent reads before it writes");
const unread = await call("write_file", { path: "src/total.js", content: FIX });
assert.equal(unread.error.code, "FILE_NOT_READ");
const read = await call("read_file", { path: "src/total.js" });
assert.equal(read.value.content, BUG);

printHeading("A dry run shows the change and makes none");
const dry = await call("write_file", { path: "src/total.js", content: FIX, dry_run: true });
assert.ok(dry.ok && dry.preview);
assert.equal(onDisk("src/total.js"), BUG);

printHeading("Overwriting asks, with the very bytes that will be written");
const written = await call("write_file", { path: "src/total.js", content: FIX });
assert.ok(written.ok, written.text);
assert.equal(onDisk("src/total.js"), FIX);

printHeading("A new file asks nobody");
const created = await call("write_file", { path: "docs/CHANGES.md", content: "- total adds again\n" });
assert.ok(created.ok, created.text);

printHeading("Somebody else's change is not overwritten");
writeFileSync(join(sample.workspace, "src/total.js"), `// by hand\n${FIX}`);
const stale = await call("write_file", { path: "src/total.js", content: BUG });
assert.equal(stale.error.code, "STALE_FILE");

printHeading("Nothing gets out");
for (const path of ["../../etc/passwd", "/etc/passwd", ".env"]) {
  const refused = await call("read_file", { path });
  assert.equal(refused.ok, false);
}

printHeading("And a change can be taken back");
await runtime.undo(created.callId);
assert.throws(() => onDisk("docs/CHANGES.md"));
console.log("  docs/CHANGES.md is gone again\n");

await runtime.dispose();
sample.remove();

function onDisk(path) {
  return readFileSync(join(sample.workspace, path), "utf8");
}
