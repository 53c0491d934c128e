import { availableParallelism, totalmem } from "node:os";
import type { SandboxConfig } from "../config/haft-config.js";

/** The tiers that a host may choose. "auto" is the first that confines code here, so never "unconfined". */
export const SANDBOX_TIERS = ["auto", "bubblewrap", "portable", "unconfined"] as const;

export type SandboxTier = (typeof SANDBOX_TIERS)[number];

/** The resources of one run. */
export interface SandboxLimits {
  readonly memoryMb: number;
  readonly processes: number;
  readonly cpuSeconds: number;
  readonly fileSizeMb: number;
  readonly openFiles: number;
  readonly outputBytes: number;
  /** How many boxes run at once; further calls wait. */
  readonly boxes: number;
}

export function sandboxLimits(config: SandboxConfig = {}): SandboxLimits {
  return {
    memoryMb: config.memoryMb ?? 1024,
    processes: config.processes ?? 128,
    cpuSeconds: config.cpuSeconds ?? 60,
    fileSizeMb: config.fileSizeMb ?? 512,
    openFiles: 1024,
    outputBytes: config.outputBytes ?? 100_000,
    boxes: config.boxes ?? 8,
  };
}

/**
 * Returns the limits for one command. Compilers and test runners need more than a script. Default: a quarter of the
 * machine's memory, threads for all processors, and processor time for as long as the command may take.
 */
export function commandLimits(config: SandboxConfig = {}): SandboxLimits {
  const limits = sandboxLimits(config);
  const cores = availableParallelism();
  return {
    ...limits,
    memoryMb: config.memoryMb ?? Math.max(limits.memoryMb, Math.floor(totalmem() / MEGABYTE / 4)),
    processes: config.processes ?? Math.max(512, 64 * cores),
    cpuSeconds: config.cpuSeconds ?? 600 * cores,
    openFiles: 4096,
  };
}

const MEGABYTE = 1024 * 1024;
