// Compares `haft mcp` with the public filesystem server: the same requests over stdio, one server after the other.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { openSession } from "./session.mjs";

const GOALS = {
  start: 0.6,
  calls: 1.0,
  processor: undefined,
  memory: 1.1,
  concurrent: undefined,
  large: undefined,
};
const [RUNS = 15, CALLS = 1000] = process.argv.filter((each) => /^\d+$/.test(each)).map(Number);
const AT_ONCE = 32;
const LARGE_CALLS = 100;
const require = createRequire(import.meta.url);
const folder = mkdtempSync(join(tmpdir(), "haft-bench-mcp-"));
const file = join(folder, "a.txt");
writeFileSync(file, `${"a line of text that is read again and again\n".repeat(40)}`);
// As many lines as Haft returns at once, and no more bytes.
const largeFile = join(folder, "large.txt");
writeFileSync(largeFile, "a line of text here\n".repeat(2000));

const manifest = require.resolve("@modelcontextprotocol/server-filesystem/package.json");
const contenders = {
  haft: {
    args: [
      fileURLToPath(new URL("../../packages/cli/bin/haft.js", import.meta.url)),
      "mcp",
      "--workspace",
      folder,
    ],
    read: { name: "read_file", arguments: { path: "a.txt" } },
    readLarge: { name: "read_file", arguments: { path: "large.txt" } },
  },
  filesystem: {
    args: [join(dirname(manifest), Object.values(JSON.parse(readFileSync(manifest, "utf8")).bin)[0]), folder],
    read: { name: "read_text_file", arguments: { path: file } },
    readLarge: { name: "read_text_file", arguments: { path: largeFile } },
  },
};

const nothing = () => Object.fromEntries(Object.keys(GOALS).map((what) => [what, []]));
const measured = { haft: nothing(), filesystem: nothing() };
// The first round warms the file cache and is not counted.
for (let round = -1; round < RUNS; round += 1) {
  for (const [name, contender] of Object.entries(contenders)) {
    const ms = await startToFirstResult(contender);
    if (round >= 0) measured[name].start.push(ms);
  }
}
for (let round = 0; round < 5; round += 1) {
  for (const [name, contender] of Object.entries(contenders)) {
    const found = await manyCalls(contender);
    for (const [what, value] of Object.entries(found)) measured[name][what].push(value);
  }
}
rmSync(folder, { recursive: true, force: true });

const rows = Object.keys(GOALS).map((what) => {
  const [haft, filesystem] = [median(measured.haft[what]), median(measured.filesystem[what])];
  return { what: TITLES()[what], haft, filesystem, ratio: round2(haft / filesystem), goal: GOALS[what] };
});
console.table(Object.fromEntries(rows.map(({ what, ...row }) => [what, row])));
const [start, calls, processor, memory, concurrent, large] = rows.map(({ ratio }) => ratio);
console.log(
  `mcp: as a ratio to the filesystem server: spawn to first result ${start} (goal ${GOALS.start}), ${CALLS} read_file ${calls} (goal ${GOALS.calls}; processor time ${processor}), memory ${memory} (goal ${GOALS.memory}); ${AT_ONCE} at once ${concurrent}, ${LARGE_CALLS} reads of 2,000 lines ${large}`,
);
if (process.argv.includes("--check") && rows.some(({ ratio, goal }) => ratio > goal)) process.exitCode = 1;

function TITLES() {
  return {
    start: "spawn to first result, ms",
    calls: `${CALLS} sequential read_file, ms`,
    processor: "processor time of them, ms",
    memory: "peak memory after them, MB",
    concurrent: `${CALLS} read_file, ${AT_ONCE} at once, ms`,
    large: `${LARGE_CALLS} sequential reads of 2,000 lines, ms`,
  };
}

/** Initialize, list, read one file: a client's first requests, each sent after the previous response. */
async function startToFirstResult({ args, read }) {
  const began = performance.now();
  const session = openSession(args, folder);
  await session.begin();
  await session.request("tools/list");
  await session.read(read);
  const ms = performance.now() - began;
  await session.end();
  return ms;
}

/** Sends all requests in one session, as a client would; the later ones meet a warm server. */
async function manyCalls({ args, read, readLarge }) {
  const session = openSession(args, folder);
  await session.begin();
  await session.request("tools/list");
  await session.read(read);
  const processorBefore = session.processorMs();
  const calls = await timed(async () => {
    for (let call = 0; call < CALLS; call += 1) await session.read(read);
  });
  const processor = session.processorMs() - processorBefore;
  const memory = session.peakMb();
  const concurrent = await timed(async () => {
    for (let call = 0; call < CALLS; call += AT_ONCE)
      await Promise.all(Array.from({ length: Math.min(AT_ONCE, CALLS - call) }, () => session.read(read)));
  });
  const large = await timed(async () => {
    for (let call = 0; call < LARGE_CALLS; call += 1) await session.read(readLarge);
  });
  await session.end();
  return { calls, processor, memory, concurrent, large };
}

async function timed(work) {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

function median(values) {
  return Math.round([...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN);
}

function round2(value) {
  return Math.round(value * 100) / 100;
}
