// Prints by how many MB a search raises the peak memory of this process, on one thread and then on two.
import { readFileSync } from "node:fs";
import { openEngine } from "./contenders.mjs";
import { KINDS } from "./kinds.mjs";

const [root] = process.argv.slice(2);
const engine = await openEngine(root);
const before = process.memoryUsage().rss;
await engine.search(KINDS[0]);
await engine.warm();
for (const kind of KINDS) await engine.search(kind);
const [, peakKb] = /VmHWM:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"));
await engine.dispose();
process.stdout.write(String((Number(peakKb) * 1024 - before) / 1024 ** 2));
