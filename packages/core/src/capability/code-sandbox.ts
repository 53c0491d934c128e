import type { CapturedOutput } from "./process-runner.js";

/** Runs code confined to the workspace for tools that hold RunCode. Fails closed: no sandbox, no run. */
export interface CodeSandbox {
  readonly tier: string;
  /** Rejects with SANDBOX_UNAVAILABLE where code cannot be confined, before anything runs. */
  run(request: SandboxRequest, signal: AbortSignal): Promise<SandboxOutcome>;
}

export interface SandboxRequest {
  readonly argv: readonly [string, ...string[]];
  /** Workspace-relative. */
  readonly cwd?: string;
  /** Put where `{script}` stands among the arguments: a file that only this run can see. */
  readonly script?: { readonly name: string; readonly content: string };
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

export type SandboxLimit = "cpu" | "memory" | "time" | "files" | "pids" | "network";

export interface SandboxOutcome {
  readonly stdout: CapturedOutput;
  readonly stderr: CapturedOutput;
  /** 128 and the signal's number when a signal ended it. */
  readonly exitCode: number;
  readonly durationMs: number;
  readonly limitHit?: SandboxLimit;
  /** Stopped by the time limit, whatever other limit it ran into before. */
  readonly timedOut: boolean;
  readonly filesChanged: readonly string[];
  /** What was put right afterwards, such as files that would run as code later. */
  readonly warnings: readonly string[];
}
