// Measures what searching a large tree costs besides time: memory, delay of the caller's event loop, and time to
// cancel.
import { execFileSync } from "node:child_process";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import { openEngine } from "./contenders.mjs";
import { GOALS, KINDS } from "./kinds.mjs";

export async function compareBehaviour(root, report) {
  report.title(`memory, event loop and cancelling: ${root}`);
  const script = fileURLToPath(new URL("peak-memory.mjs", import.meta.url));
  const memory = Number(execFileSync(process.execPath, [script, root], { encoding: "utf8" }));
  report.value("memory added at the peak", { value: memory, goal: GOALS.memoryMb, unit: "MB" });
  const engine = await openEngine(root);
  await engine.search(KINDS[0]);
  await engine.warm();
  const [stall, cancel] = [[], []];
  for (let run = 0; run < 5; run++) {
    stall.push(await longestStall(() => engine.search(KINDS[1])));
    cancel.push(await msToStop(engine));
  }
  report.value("longest stall of the caller", {
    value: Math.min(...stall),
    goal: GOALS.stallMs,
    unit: "ms, best of 5",
  });
  report.value("from its signal to its end", {
    value: Math.min(...cancel),
    goal: GOALS.cancelMs,
    unit: "ms, best of 5",
  });
  await engine.dispose();
}

async function longestStall(work) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await work();
  delay.disable();
  return delay.max / 1e6;
}

// The next search also shows that the threads are free again.
async function msToStop(engine) {
  const aborter = new AbortController();
  const ended = engine.search(KINDS[11], aborter.signal).then(
    () => undefined,
    () => performance.now(),
  );
  await new Promise((resolve) => setTimeout(resolve, 30));
  const started = performance.now();
  aborter.abort(new Error("enough"));
  const at = await ended;
  return at === undefined ? Number.NaN : at - started;
}
