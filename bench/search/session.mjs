// Measures an agent's session: a fresh process makes ten different searches of a tree that it has not seen.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { corpus } from "./corpus.mjs";

/** No other part searches these trees. Their folders, names and contents come from their own seed. */
export const SESSION_SIZES = [500, 5000, 15_000, 40_000];
const SEED = 7_301_962;

const GOALS = {
  pauses: { first: 1.0, second: 0.7, "sum of ten": 0.5 },
  "back to back": { first: 2.0, second: 1.2, "sum of ten": 1.0 },
};
const LARGE = { first: 1.5 };

/**
 * Alternates between the contenders, with a fresh process each time. With pauses, the first search follows the creation
 * of the runtime, which warms up as in `haft mcp`; without pauses, nothing is warm.
 */
export function compareSessions({ folder, runs, sizes, modes, report }) {
  for (const size of sizes) {
    const root = corpus(`${folder}/session`, size, SEED);
    run("fresh-ripgrep-session.mjs", root, "back to back"); // fills the page cache
    for (const mode of modes) compare({ root, size, mode, runs, report });
  }
}

function compare({ root, size, mode, runs, report }) {
  report.title(`ten searches of a fresh process, ${size} files, ${mode}: ${root}`);
  const ours = [];
  const peer = [];
  for (let round = 0; round < runs; round++) {
    ours.push(run("fresh-haft-session.mjs", root, mode));
    peer.push(run("fresh-ripgrep-session.mjs", root, mode));
  }
  const counts = (rounds) => rounds[0].map(({ lines }) => lines).join(" ");
  if (counts(ours) !== counts(peer))
    report.different(`session ${size}`, `${counts(ours)}, ripgrep ${counts(peer)}`);
  const goals = size > 10_000 && mode === "back to back" ? { ...GOALS[mode], ...LARGE } : GOALS[mode];
  for (const [name, pick] of Object.entries(ROWS))
    report.ratio(name, { ours: summary(ours, pick), peer: summary(peer, pick), goal: goals[name] });
}

const ROWS = {
  first: (calls) => [calls[0]],
  second: (calls) => [calls[1]],
  third: (calls) => [calls[2]],
  tenth: (calls) => [calls[9]],
  "sum of ten": (calls) => calls,
};

function run(script, root, mode) {
  const file = fileURLToPath(new URL(script, import.meta.url));
  return JSON.parse(execFileSync(process.execPath, [file, root, mode], { encoding: "utf8" }));
}

function summary(rounds, pick) {
  const sum = (calls, key) => calls.reduce((total, call) => total + call[key], 0);
  const times = rounds.map((calls) => sum(pick(calls), "ms")).sort((a, b) => a - b);
  const cpu = rounds.reduce((total, calls) => total + sum(pick(calls), "cpu"), 0) / rounds.length;
  return { best: times[0], median: times[Math.floor(times.length / 2)], cpu };
}
