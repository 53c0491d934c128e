// A tool of your own, in one file (word-count.js). Validation, path jail, permissions, approval, prompt and schema come from the kernel.
import assert from "node:assert/strict";
import { createNodeRuntime } from "@haft/runtime-node";
import { sampleWorkspace } from "../sample-workspace.js";
import { WordCount } from "./word-count.js";

const sample = sampleWorkspace({ "poem.txt": "the quick brown fox\n", "empty.txt": "" });
const runtime = await createNodeRuntime({ ...sample, role: "reader", tools: [WordCount] });

const counted = await runtime.call("word_count", { path: "poem.txt", minLength: "4" }); // camelCase and "4" are understood
assert.deepEqual(counted.value, { words: 2 });

const none = await runtime.call("word_count", { path: "empty.txt" });
assert.equal(none.error.code, "NO_WORDS");

const wrong = await runtime.call("word_count", { file: "poem.txt" });
assert.equal(wrong.error.code, "INVALID_ARGUMENTS");
console.log(wrong.text);

await runtime.dispose();
sample.remove();
