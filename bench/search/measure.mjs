// Timing by turns: contenders of one row run one after the other, again and again, so that a busy machine slows all.

export async function time(work) {
  const started = performance.now();
  const value = await work();
  return { ms: performance.now() - started, value };
}

/** Runs every contender in each of `runs` rounds; best, median and last value of each, by name. */
export async function interleave(contenders, runs) {
  const samples = Object.fromEntries(Object.keys(contenders).map((name) => [name, []]));
  const values = {};
  for (let run = 0; run < runs; run++) {
    for (const [name, work] of Object.entries(contenders)) {
      const { ms, value } = await time(work);
      samples[name].push(ms);
      values[name] = value;
    }
  }
  return Object.fromEntries(
    Object.entries(samples).map(([name, list]) => [name, { ...summary(list), value: values[name] }]),
  );
}

function summary(samples) {
  const sorted = [...samples].sort((a, b) => a - b);
  return { best: sorted[0], median: sorted[Math.floor(sorted.length / 2)] };
}
