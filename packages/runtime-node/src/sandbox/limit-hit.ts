import type { SandboxLimit } from "@haft/core";
import type { ControlGroup } from "./control-group.js";
import type { SandboxEnd } from "./sandboxed-process.js";

/** Which limit a run ran into, from what the kernel counted and what the program said. */
export function limitHit(
  { exitCode, endedBy }: Pick<SandboxEnd, "exitCode" | "endedBy">,
  stderr: string,
  group: Pick<ControlGroup, "wasMemoryHit" | "wasProcessesHit">,
): SandboxLimit | undefined {
  if (group.wasProcessesHit) return "pids";
  if (group.wasMemoryHit) return "memory";
  if (endedBy === "disk") return "files";
  if (endedBy === "time") return "time";
  if (exitCode === 0) return undefined;
  if (exitCode === 128 + SIGXCPU) return "cpu";
  if (exitCode === 128 + SIGXFSZ) return "files";
  return SAID.find(([pattern]) => pattern.test(stderr))?.[1];
}

const SIGXCPU = 24;
const SIGXFSZ = 25;

/** A program that handles its failure says what stood in its way. */
const SAID: readonly (readonly [RegExp, SandboxLimit])[] = [
  [/MemoryError|Cannot allocate memory|out of memory/i, "memory"],
  [/File too large|File size limit exceeded|No space left on device|Too many open files/i, "files"],
  [/CPU time limit exceeded/i, "cpu"],
  [/Resource temporarily unavailable|can't start new thread/i, "pids"],
  [
    /Network is unreachable|Connection refused|name resolution|Name or service not known|Could not resolve host/i,
    "network",
  ],
];
