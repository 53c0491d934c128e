// Measures what tracedRuntime adds to a call: with an SDK that records spans and metrics, and without one.
import { createRequire } from "node:module";
import { createRuntime, defineTool, s } from "@haft/core";
import { MemoryWorkspace } from "@haft/core/memory";

const from = createRequire(new URL("../../packages/telemetry/package.json", import.meta.url));
const { metrics, trace } = from("@opentelemetry/api");
const { MeterProvider } = from("@opentelemetry/sdk-metrics");
const { AlwaysOnSampler, BasicTracerProvider } = from("@opentelemetry/sdk-trace-base");
const { tracedRuntime } = await import(new URL("../../packages/telemetry/dist/index.js", import.meta.url));

/** Alternates many short slices. Other work on the machine only adds time, so the fastest tenth of them counts. */
const CALLS = 50;
const SLICES = 2_000;
const WARM_UP = 200;
const Echo = defineTool({
  name: "echo",
  summary: "Echo.",
  permissions: [],
  input: s.object({ text: s.string("Text") }),
  run: async ({ text }) => text,
});
const workspace = new MemoryWorkspace();
const plain = await createRuntime({ workspace, tools: [Echo] });
const off = tracedRuntime(plain);
const offUs = await added(off);
const kept = { onStart() {}, onEnd() {}, forceFlush: async () => {}, shutdown: async () => {} };
trace.setGlobalTracerProvider(
  new BasicTracerProvider({ sampler: new AlwaysOnSampler(), spanProcessors: [kept] }),
);
metrics.setGlobalMeterProvider(new MeterProvider());
const onUs = await added(tracedRuntime(plain));
console.table({
  "no SDK": { "added µs per call": offUs },
  "spans and metrics": { "added µs per call": onUs },
});
console.log(`telemetry: ${onUs} µs per call when on (limit 10), ${offUs} µs without an SDK`);
process.exitCode = onUs < 10 ? 0 : 1;

async function added(traced) {
  const times = { plain: [], traced: [] };
  for (let slice = -WARM_UP; slice < SLICES; slice += 1) {
    const [a, b] = [await time(plain), await time(traced)];
    if (slice < 0) continue;
    times.plain.push(a);
    times.traced.push(b);
  }
  return Math.round((fastTenth(times.traced) - fastTenth(times.plain)) * 100) / 100;
}

async function time(runtime) {
  const since = performance.now();
  for (let nth = 0; nth < CALLS; nth += 1) await runtime.call("echo", { text: "x" });
  return ((performance.now() - since) * 1_000) / CALLS;
}

function fastTenth(values) {
  return values.sort((x, y) => x - y)[Math.floor(values.length / 10)];
}
