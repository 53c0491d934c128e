// Gives every contender the same work in one run: append a line to a file, with a record that is durable before the
// answer.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openBullmq, openDbos, openEmbedded, openHaft } from "./contenders.mjs";
import { startServers } from "./servers.mjs";

const ROUNDS = 5;
const SEQUENTIAL = 150;
const TOGETHER = 1_500;
const IN_FLIGHT = 64;

export async function compareCalls() {
  const folder = mkdtempSync(join(tmpdir(), "haft-scale-"));
  const servers = await startServers(join(folder, "servers"));
  const contenders = [];
  try {
    const openers = { haft: openHaft, DBOS: openDbos, BullMQ: openBullmq, embedded: openEmbedded };
    for (const [name, open] of Object.entries(openers)) {
      const root = join(folder, name);
      mkdirSync(join(root, "ws"), { recursive: true });
      const opened = await open({ root, log: join(root, "ws", "log.txt"), servers });
      if (opened.skipped !== undefined) console.log(`${name} skipped: ${opened.skipped}`);
      else contenders.push({ name, log: join(root, "ws", "log.txt"), calls: 0, rounds: [], ...opened });
    }
    // Rounds alternate, so that other load on the machine affects every contender. The first two warm up.
    for (let round = -1; round <= ROUNDS; round += 1)
      for (const contender of contenders) await measure(contender, round);
    for (const { name, log, calls } of contenders) checkLines(name, log, calls);
  } finally {
    for (const { close } of contenders) await close();
    await servers.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  return report(contenders);
}

async function measure(contender, round) {
  const times = [];
  for (let nth = 0; nth < SEQUENTIAL; nth += 1) times.push(await timed(contender));
  const since = performance.now();
  let left = TOGETHER;
  const agent = async () => {
    while (left > 0) {
      left -= 1;
      await timed(contender);
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, agent));
  const perSecond = (TOGETHER * 1_000) / (performance.now() - since);
  if (round > 0) contender.rounds.push({ ms: median(times), perSecond });
}

async function timed(contender) {
  contender.calls += 1;
  const since = performance.now();
  await contender.call(`line-${contender.calls}`);
  return performance.now() - since;
}

/** Asserts that every call appended its line exactly once. */
function checkLines(name, log, calls) {
  const lines = readFileSync(log, "utf8").split("\n").filter(Boolean);
  if (lines.length !== calls || new Set(lines).size !== calls)
    throw new Error(`${name} made ${calls} calls, and its file has ${lines.length} lines`);
}

function report(contenders) {
  const found = Object.fromEntries(
    contenders.map(({ name, rounds }) => [
      name,
      {
        "sequential median ms": round(median(rounds.map(({ ms }) => ms)), 2),
        [`calls/s at ${IN_FLIGHT} in flight`]: round(median(rounds.map(({ perSecond }) => perSecond)), 0),
      },
    ]),
  );
  console.table(found);
  const [ms, perSecond] = Object.keys(found.haft);
  const peers = Object.keys(found).filter((name) => name === "DBOS" || name === "BullMQ");
  const ratios = peers.map((peer) => {
    const times = round(found.haft[perSecond] / found[peer][perSecond], 2);
    if (times < 1) process.exitCode = 1;
    return `${times} times the calls per second of ${peer} (its latency ${round(found.haft[ms] / found[peer][ms], 2)} times)`;
  });
  const added = round(found.haft[ms] - found.embedded[ms], 2);
  return [...ratios, `${added} ms added to an embedded call of ${found.embedded[ms]} ms`].join(", ");
}

function median(values) {
  return [...values].sort((a, b) => a - b)[values.length >> 1];
}

function round(value, digits) {
  return Number(value.toFixed(digits));
}
