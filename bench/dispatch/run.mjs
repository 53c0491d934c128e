// Measures the kernel's cost per call: it validates the arguments, checks permissions, runs an empty read-only tool and
// validates its value.
import { s, tool, toolDefinition } from "@haft/core";
import { createToolRuntime } from "@haft/core/kernel";
import { MemoryWorkspace } from "@haft/testing";

const CALLS = Number(process.argv[2] ?? 30_000);
const role = { name: "bench", permissions: ["ReadFiles"] };

const cold = measureCreation(1);
const one = await measureCalls(runtimeWith(1));
const many = await measureCalls(runtimeWith(500));
const watched = await measureCalls(runtimeWith(1, true));
const creation = measureCreation(50);
const row = ({ median, p95, mean }) => ({
  "median µs": round(median),
  "p95 µs": round(p95),
  "mean µs": round(mean),
});
console.table({
  "call, 1 tool": row(one),
  "call, 500 tools": row(many),
  "call, 1 tool, watched": row(watched),
  "create a runtime with 20 tools": row(creation),
  "the same, first in the process": row(cold),
});
console.log(
  `dispatch: ${CALLS} calls, median ${round(one.median)} µs with 1 tool, ${round(many.median)} µs with 500, ` +
    `${round(watched.median)} µs watched; a runtime with 20 tools in ${round(creation.median / 1000)} ms, the first in ${round(cold.median / 1000)} ms`,
);

function runtimeWith(count, isWatched = false) {
  const tools = Array.from({ length: count }, (_, index) => emptyTool(`empty_${index}`));
  const runtime = createToolRuntime({ role, tools, workspace: new MemoryWorkspace() });
  if (isWatched) runtime.watch(() => {});
  return { runtime, name: `empty_${count - 1}` };
}

/** Creates a new class and new schemas each time, as separate packages would. */
function emptyTool(name) {
  const definition = toolDefinition({
    name,
    summary: "Do nothing.",
    category: "read",
    permissions: ["ReadFiles"],
    input: s.object({
      query: s.string("Text"),
      limit: s.integer("Number", { default: 50, minimum: 1 }),
      deep: s.boolean("Flag", { default: false }),
    }),
    output: s.object({ count: s.integer("Number") }),
  });
  class Empty {
    async run() {
      return { count: 0 };
    }
  }
  tool(definition)(Empty);
  return Empty;
}

async function measureCalls({ runtime, name }) {
  for (let index = 0; index < CALLS / 3; index += 1) await runtime.call(name, { query: "x", limit: 3 });
  globalThis.gc?.();
  const times = new Float64Array(CALLS);
  for (let index = 0; index < CALLS; index += 1) {
    const started = performance.now();
    const result = await runtime.call(name, { query: "x", limit: 3 });
    times[index] = (performance.now() - started) * 1000;
    if (!result.ok) throw new Error(result.text);
  }
  return summary(times);
}

function measureCreation(count) {
  const times = Float64Array.from({ length: count }, () => {
    const tools = Array.from({ length: 20 }, (_, index) => emptyTool(`made_${index}`));
    const started = performance.now();
    createToolRuntime({ role, tools, workspace: new MemoryWorkspace() });
    return (performance.now() - started) * 1000;
  });
  return summary(times);
}

function summary(times) {
  const mean = times.reduce((sum, time) => sum + time, 0) / times.length;
  times.sort();
  return { median: times[times.length >> 1], p95: times[Math.floor(times.length * 0.95)], mean };
}

function round(value) {
  return Math.round(value * 10) / 10;
}
