// The first call: import a pack, make a runtime for a role, call a tool. Exits non-zero when wrong.
import assert from "node:assert/strict";
import { createNodeRuntime } from "@haft/runtime-node";
import "@haft/tool-fs"; // importing a pack announces its tools
import { sampleWorkspace } from "../sample-workspace.js";

const sample = sampleWorkspace({ "notes.txt": "one\ntwo\nthree\n" });
const runtime = await createNodeRuntime({ ...sample, role: "reader" });

const page = await runtime.call("read_file", { path: "notes.txt", offset: 2, limit: 1 });
assert.ok(page.ok, page.text);
assert.equal(page.value.content, "two\n");
console.log(page.text);

// What goes wrong is a value too: a code, the truth, and where possible the next call to make.
const missing = await runtime.call("read_file", { path: "note.txt" });
assert.equal(missing.ok, false);
assert.equal(missing.error.code, "FILE_NOT_FOUND");
console.log(missing.text);

const outside = await runtime.call("read_file", { path: "../state" });
assert.equal(outside.error.code, "INVALID_PATH");

await runtime.dispose();
sample.remove();
