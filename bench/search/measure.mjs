// Timing by turns: contenders of one row run one after the other, again and again, so that a busy machine slows all.

import { readFileSync } from "node:fs";

async function time(work) {
  const cpuBefore = cpuMs();
  const started = performance.now();
  const value = await work();
  return { ms: performance.now() - started, cpu: cpuMs() - cpuBefore, value };
}

const TICK_MS = 10;

/** What this process, its threads and the children it waited for have computed; on a busy machine it says more than time. */
function cpuMs() {
  const { user, system } = process.cpuUsage();
  const fields = readFileSync("/proc/self/stat", "utf8").split(") ")[1].split(" ");
  return (user + system) / 1000 + (Number(fields[13]) + Number(fields[14])) * TICK_MS;
}

/** Runs every contender in each of `runs` rounds; best and median time, computing and last value of each, by name. */
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
