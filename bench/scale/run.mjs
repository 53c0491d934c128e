// Compares Haft over PostgreSQL with DBOS and BullMQ, and runs many agents over workers that are killed.
// Usage: node bench/scale/run.mjs [--parts=calls,kills] [--seconds=20]
import { parseArgs } from "node:util";
import { compareCalls } from "./calls.mjs";
import { runKills } from "./kills.mjs";

const { values } = parseArgs({
  options: {
    parts: { type: "string", default: "calls" },
    seconds: { type: "string", default: "20" },
  },
});
const PARTS = { calls: compareCalls, kills: () => runKills(Number(values.seconds)) };
const chosen = values.parts.split(",");
const unknown = chosen.find((part) => !Object.hasOwn(PARTS, part));
if (unknown !== undefined || !(Number(values.seconds) > 0)) {
  console.error("usage: pnpm bench scale [--parts=calls,kills] [--seconds=20]");
  process.exit(2);
}
const lines = [];
for (const part of chosen) lines.push(await PARTS[part]());
console.log(`scale: ${lines.join("; ")}`);
