import assert from "node:assert/strict";
import { createNodeRuntime } from "@haft/runtime-node";
import { ReadFile } from "@haft/tool-fs";
import { sampleWorkspace } from "../sample-workspace.js";

const sample = sampleWorkspace({ "notes.txt": "one\ntwo\nthree\n" });
const runtime = await createNodeRuntime({ ...sample, role: "reader", tools: [ReadFile] });

// Arguments and result are typed by the tool.
const page = await runtime.call(ReadFile, { path: "notes.txt", offset: 2, limit: 1 });
assert.ok(page.ok, page.text);
assert.equal(page.value.content, "two\n");
console.log(page.text);

// A failure is a value too: a code, the current state and, where possible, the next call to make.
const missing = await runtime.call(ReadFile, { path: "note.txt" });
assert.ok(!missing.ok);
assert.equal(missing.error.code, "FILE_NOT_FOUND");
assert.deepEqual(missing.error.next, { tool: "read_file", args: { path: "notes.txt" } });
console.log(missing.text);

// A model calls by name, with JSON. Paths outside the workspace are refused before anything is opened.
const outside = await runtime.call("read_file", { path: "../state" });
assert.ok(!outside.ok);
assert.equal(outside.error.code, "INVALID_PATH");

await runtime.dispose();
sample.remove();
