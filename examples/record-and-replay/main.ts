import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createNodeRuntime } from "@haft/runtime-node";
import { createTestRuntime, DriftError, recordCalls, replayCalls } from "@haft/testing";
import { ReadFile, WriteFile } from "@haft/tool-fs";
import { sampleWorkspace } from "../sample-workspace.js";
import { tidy } from "./tidy-agent.js";

// Once, against the real workspace: record the calls and store them as JSON beside the test.
const sample = sampleWorkspace({ "a.txt": "one  \ntwo\n" });
const tools = [ReadFile, WriteFile];
const approver = async () => ({ approved: true });
const recording = recordCalls(await createNodeRuntime({ ...sample, role: "editor", tools, approver }));
const recorded = await tidy(recording.runtime, "a.txt");
const file = join(sample.workspace, "tidy.recording.json");
writeFileSync(file, JSON.stringify(recording.calls, undefined, 2));
await recording.runtime.dispose();

// In every test run: the same agent receives its answers from the recording. No tool runs and no file is touched.
const replay = replayCalls(createTestRuntime({ tools }), JSON.parse(readFileSync(file, "utf8")));
assert.equal(await tidy(replay.runtime, "a.txt"), recorded);
replay.assertComplete();
assert.ok(!existsSync("a.txt"));

// An agent that makes a different call fails with a diff of that call.
const drifted = replayCalls(createTestRuntime({ tools }), recording.calls);
await assert.rejects(tidy(drifted.runtime, "b.txt"), (error: Error) => {
  console.log(error.message);
  return error instanceof DriftError && error.message.includes('+  "path": "b.txt"');
});
sample.remove();
