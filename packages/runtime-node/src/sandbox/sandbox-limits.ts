import type { SandboxConfig } from "../config/haft-config.js";

/** What a host may choose; "auto" is the first that confines code here, so never "unconfined". */
export const SANDBOX_TIERS = ["auto", "bubblewrap", "portable", "unconfined"] as const;

export type SandboxTier = (typeof SANDBOX_TIERS)[number];

/** What one run may use. */
export interface SandboxLimits {
  readonly memoryMb: number;
  readonly processes: number;
  readonly cpuSeconds: number;
  readonly fileSizeMb: number;
  readonly openFiles: number;
  readonly outputBytes: number;
}

export function sandboxLimits(config: SandboxConfig = {}): SandboxLimits {
  return {
    memoryMb: config.memoryMb ?? 1024,
    processes: config.processes ?? 128,
    cpuSeconds: config.cpuSeconds ?? 60,
    fileSizeMb: config.fileSizeMb ?? 512,
    openFiles: 1024,
    outputBytes: config.outputBytes ?? 100_000,
  };
}
