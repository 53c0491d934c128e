import type { CapturedOutput } from "./process-runner.js";

/**
 * Runs code over a view of the workspace for tools that hold RunCode. Fails closed: no sandbox, no run.
 * It changes no file itself: what the code changed in its view comes back as data, and whoever asked
 * records it in the workspace like any other change.
 */
export interface CodeSandbox {
  /** Which kind it is, once that is known. */
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
  /** What the code left different in its view, in the order in which it can be recorded. None of a run that was stopped. */
  readonly changes: readonly SandboxChange[];
  /** Paths that the code and somebody else changed at the same time. Where there are any, there are no changes: all or none. */
  readonly conflicts: readonly string[];
  /** Whether something the code did is not among the changes: then what it took away may have nowhere else to be. */
  readonly isPartial?: boolean;
  /** What is not among the changes, and why: files that would run as code later, or are too large to be recorded. */
  readonly warnings: readonly string[];
}

export type SandboxChange =
  | { readonly kind: "file"; readonly path: string; readonly bytes: Uint8Array; readonly mode: number }
  | { readonly kind: "directory"; readonly path: string }
  | { readonly kind: "symlink"; readonly path: string; readonly target: string }
  | { readonly kind: "delete"; readonly path: string };
