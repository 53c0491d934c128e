// Times contenders in turns, so that other load slows all of them.

import { cpuMs } from "./cpu-time.mjs";

async function time(work) {
  const cpuBefore = cpuMs();
  const started = performance.now();
  const value = await work();
  return { ms: performance.now() - started, cpu: cpuMs() - cpuBefore, value };
}

/**
 * Runs every contender in each of `runs` rounds. Returns best and median time, processor time and the last value of
 * each, by name.
 */
export async function interleave(contenders, runs) {
  const samples = Object.fromEntries(Object.keys(contenders).map((name) => [name, []]));
  const cpus = Object.fromEntries(Object.keys(contenders).map((name) => [name, 0]));
  const values = {};
  for (let run = 0; run < runs; run++) {
    for (const [name, work] of Object.entries(contenders)) {
      const { ms, cpu, value } = await time(work);
      samples[name].push(ms);
      cpus[name] += cpu / runs;
      values[name] = value;
    }
  }
  return Object.fromEntries(
    Object.entries(samples).map(([name, list]) => [
      name,
      { ...summary(list), cpu: cpus[name], value: values[name] },
    ]),
  );
}

function summary(samples) {
  const sorted = [...samples].sort((a, b) => a - b);
  return { best: sorted[0], median: sorted[Math.floor(sorted.length / 2)] };
}
