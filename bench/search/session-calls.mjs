// Times the ten searches of a session. Imports little, because a fresh process loads it.
import { setTimeout } from "node:timers/promises";
import { cpuMs } from "./cpu-time.mjs";

const PAUSE_MS = 1000;

/** As in a session, most look for a name, and few match more than some hundred lines. */
const PATTERNS = [
  "loadHandler",
  "raise Load\\w*Error",
  "needleInHaystack",
  "export async function load",
  "TODO (load|data)",
  "\\bload\\b",
  "absentFromAllOfThem",
  "unfindable\\(",
  "def \\w+_update\\b",
  "import .*listVer",
];

/** Prints the time, the processor time and the number of matching lines of each call. */
export async function timeSession(mode, search) {
  const calls = [];
  for (const pattern of PATTERNS) {
    if (mode === "pauses") await setTimeout(PAUSE_MS);
    const cpuBefore = cpuMs();
    const started = performance.now();
    const lines = await search({ pattern });
    calls.push({ ms: performance.now() - started, cpu: cpuMs() - cpuBefore, lines });
  }
  process.stdout.write(JSON.stringify(calls));
}
