import type { SandboxLimit, SandboxOutcome } from "@haft/core/capabilities";
import type { ControlGroup } from "./control-group.js";
import type { SandboxEnd } from "./sandboxed-process.js";

/** Returns how a run ended, without its changes. */
export function outcomeOf(
  end: SandboxEnd,
  group?: Counters,
): Omit<SandboxOutcome, "changes" | "conflicts" | "warnings" | "isPartial"> {
  const { stdout, stderr, logPath } = end.recorder.result();
  const limit = limitHit(end, stderr.text, group);
  const { exitCode, durationMs } = end;
  const timedOut = end.endedBy === "time";
  return {
    stdout,
    stderr,
    exitCode,
    durationMs,
    timedOut,
    ...(limit !== undefined && { limitHit: limit }),
    ...(logPath !== undefined && { logPath }),
  };
}

type Counters = Pick<ControlGroup, "wasMemoryHit" | "wasProcessesHit">;

/** Returns the limit that a run hit, from the kernel's counters and the program's output. */
export function limitHit(
  { exitCode, endedBy }: Pick<SandboxEnd, "exitCode" | "endedBy">,
  stderr: string,
  group: Counters = NOTHING_COUNTED,
): SandboxLimit | undefined {
  if (group.wasProcessesHit) return "pids";
  if (group.wasMemoryHit) return "memory";
  if (endedBy === "disk") return "files";
  if (endedBy !== undefined) return endedBy;
  if (exitCode === 0) return undefined;
  if (exitCode === 128 + SIGXCPU) return "cpu";
  if (exitCode === 128 + SIGXFSZ) return "files";
  return SAID.find(([pattern]) => pattern.test(stderr))?.[1];
}

const NOTHING_COUNTED: Counters = { wasMemoryHit: false, wasProcessesHit: false };
const SIGXCPU = 24;
const SIGXFSZ = 25;

/** A program that handles its failure prints the reason. */
const SAID: readonly (readonly [RegExp, SandboxLimit])[] = [
  [/MemoryError|Cannot allocate memory|out of memory|string length limit exceeded/i, "memory"],
  [/File too large|File size limit exceeded|No space left on device|Too many open files/i, "files"],
  [/CPU time limit exceeded/i, "cpu"],
  // The last two are from the portable tier, where everything is one process.
  [
    /Resource temporarily unavailable|can't start new thread|maximum recursion depth \(|does not support processes/i,
    "pids",
  ],
  [
    /Network is unreachable|Host is unreachable|(?:curl|wget|nc|ssh|ping): command not found|Connection refused|name resolution|Name or service not known|Could not resolve host/i,
    "network",
  ],
];
