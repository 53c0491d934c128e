// Compares our search with spawning ripgrep from Node. See README.md.
import { execFileSync, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { compileEngine } from "./compile-engine.mjs";
import { naiveSearch, openEngine, spawnRipgrep } from "./contenders.mjs";
import { corpus, SIZES } from "./corpus.mjs";
import { GOALS, KINDS } from "./kinds.mjs";

const option = (name, fallback) =>
  process.argv.find((word) => word.startsWith(`--${name}=`))?.split("=")[1] ?? fallback;
const runs = Number(option("runs", 7));
const folder = option("folder", "/tmp/haft-bench");
const sizes = option("sizes", "small,medium,large").split(",");
const only = option("only", "");
const engine = compileEngine();
const missed = [];

if (spawnSync("rg", ["--version"]).status !== 0) {
  console.log("ripgrep is missing: install it from the system's packages (apt install ripgrep)");
  process.exit(1);
}
console.log(
  execFileSync("rg", ["--version"], { encoding: "utf8" }).split("\n")[0],
  "· Node",
  process.version,
);

const bests = {};
for (const size of sizes) {
  const root = option("tree", "") || corpus(folder, SIZES[size]);
  bests[size] = await compareKinds(size, root);
  await compareFirstCall(root);
}
if (bests.medium && bests.small) {
  const growth = bests.medium / bests.small / (SIZES.medium / SIZES.small / 10);
  report(`growth, small to medium, for 10 times the files: ${growth.toFixed(1)}`, growth, GOALS.growth);
}
if (missed.length > 0) console.log(`\nmissed:\n${missed.join("\n")}`);
process.exit(process.argv.includes("--check") && missed.length > 0 ? 1 : 0);

async function compareKinds(size, root) {
  console.log(
    `\n${size}: ${root}\n${"kind".padEnd(28)}${"best".padStart(7)}${"median".padStart(8)}   ours ms    rg ms   naive   lines`,
  );
  const ours = await openEngine(engine, root);
  await ours.search(KINDS[0]);
  await ours.warm();
  let total = 0;
  for (const kind of KINDS.filter(({ name }) => name.includes(only))) {
    const row = await interleave(ours, root, kind);
    total += row.ours.best;
    const ratio = row.ours.best / row.rg.best;
    const naive = size === "small" ? (await time(() => naiveSearch(root, kind))).ms : Number.NaN;
    const columns = [ratio.toFixed(2).padStart(7), (row.ours.median / row.rg.median).toFixed(2).padStart(8)];
    const times = [row.ours.best.toFixed(1).padStart(10), row.rg.best.toFixed(1).padStart(9)];
    const extra = [
      (naive / row.rg.best).toFixed(2).padStart(8),
      String(row.lines).padStart(8),
      row.agree ? "" : " DIFFERENT ANSWERS",
    ];
    report(
      `${kind.name.padEnd(28)}${[...columns, ...times, ...extra].join("")}`,
      ratio,
      kind.goal ?? GOALS[size],
    );
  }
  await ours.dispose();
  return total;
}

async function interleave(ours, root, kind) {
  const samples = { ours: [], rg: [] };
  let lines = 0;
  let agree = true;
  for (let run = 0; run < runs; run++) {
    const mine = await time(() => ours.search(kind));
    const theirs = await time(() => spawnRipgrep(root, kind));
    samples.ours.push(mine.ms);
    samples.rg.push(theirs.ms);
    lines = mine.value;
    agree &&= mine.value === theirs.value;
  }
  return { ours: summary(samples.ours), rg: summary(samples.rg), lines, agree };
}

async function compareFirstCall(root) {
  const script = fileURLToPath(new URL("first-call.mjs", import.meta.url));
  const samples = { ours: [], rg: [] };
  for (let run = 0; run < runs; run++) {
    for (const name of ["ours", "rg"]) {
      samples[name].push(
        Number(execFileSync(process.execPath, [script, name, root, engine.href], { encoding: "utf8" })),
      );
    }
  }
  const [ours, rg] = [summary(samples.ours), summary(samples.rg)];
  const ratio = ours.best / rg.best;
  const text = `first call in a fresh process ${ratio.toFixed(2).padStart(5)}${(ours.median / rg.median).toFixed(2).padStart(8)}`;
  report(`${text}${ours.best.toFixed(1).padStart(10)}${rg.best.toFixed(1).padStart(9)}`, ratio, GOALS.first);
}

function report(text, value, goal) {
  console.log(text);
  if (value > goal) missed.push(`${text}   goal ${goal}`);
}

async function time(work) {
  const started = performance.now();
  const value = await work();
  return { ms: performance.now() - started, value };
}

function summary(samples) {
  const sorted = [...samples].sort((a, b) => a - b);
  return { best: sorted[0], median: sorted[Math.floor(sorted.length / 2)] };
}
