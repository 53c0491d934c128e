import assert from "node:assert/strict";
import { createNodeRuntime } from "@haft/runtime-node";
import { sampleWorkspace } from "../sample-workspace.js";
import { WordCount } from "./word-count.js";

const sample = sampleWorkspace({ "poem.txt": "the quick brown fox\n", "empty.txt": "" });
const runtime = await createNodeRuntime({ ...sample, role: "reader", tools: [WordCount] });

const counted = await runtime.call(WordCount, { path: "poem.txt", min_length: 4 });
assert.ok(counted.ok, counted.text);
assert.equal(counted.value.words, 2);

// A model may write camelCase and put numbers in strings; the kernel corrects both.
const byModel = await runtime.call("word_count", { path: "poem.txt", minLength: "4" });
assert.deepEqual(byModel.ok && byModel.value, { words: 2 });

const none = await runtime.call(WordCount, { path: "empty.txt" });
assert.equal(!none.ok && none.error.code, "NO_WORDS");

const wrong = await runtime.call("word_count", { file: "poem.txt" });
assert.equal(!wrong.ok && wrong.error.code, "INVALID_ARGUMENTS");
console.log(wrong.text);

await runtime.dispose();
sample.remove();
