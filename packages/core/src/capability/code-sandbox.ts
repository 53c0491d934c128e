import type { CapturedOutput } from "./process-runner.js";

/** Runs code confined to the workspace for tools that hold RunCode. Fails closed: no sandbox, no run. */
export interface CodeSandbox {
  readonly tier: string;
  run(request: SandboxRequest, signal: AbortSignal): Promise<SandboxOutcome>;
}

export interface SandboxRequest {
  readonly argv: readonly [string, ...string[]];
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

export interface SandboxOutcome {
  readonly stdout: CapturedOutput;
  readonly stderr: CapturedOutput;
  readonly exitCode: number | null;
  readonly durationMs: number;
  readonly limitHit?: "cpu" | "memory" | "time" | "files" | "pids" | "network";
  readonly filesChanged: readonly string[];
}
