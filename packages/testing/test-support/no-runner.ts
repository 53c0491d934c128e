// Uses the kit without a test runner, as a script would.
import { defineTool, s } from "@haft/core";
import { createTestRuntime } from "../src/index.js";

const Read = defineTool({
  name: "read",
  summary: "Read a file.",
  permissions: ["ReadFiles"],
  input: s.object({ path: s.path("File to read") }),
  run: ({ path }, { workspace }) => workspace.readText(path),
});
const runtime = createTestRuntime({ tools: [Read], files: { "a.txt": "three words" } });
const result = await runtime.call(Read, { path: "a.txt" });
process.stdout.write(`read ${result.ok ? result.value : result.error.code}\n`);
