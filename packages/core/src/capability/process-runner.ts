import type { CodeSandbox } from "./code-sandbox.js";

/** Runs programs for tools with ExecuteCommands. Takes argv only; there is no shell. */
export interface ProcessRunner {
  /** Runs commands confined; undefined if this machine has no sandbox for them. */
  readonly box?: CodeSandbox | undefined;
  run(request: ProcessRequest, signal: AbortSignal): Promise<ProcessOutcome>;
  /**
   * Opens a run for the pipelines of one command line, executed in sequence with one directory, one time limit and one
   * output. The caller must close it.
   */
  open(options: CommandRunOptions, signal: AbortSignal): Promise<CommandRun>;
}

export interface ProcessRequest {
  readonly argv: readonly [string, ...string[]];
  /** Workspace-relative. */
  readonly cwd?: string;
  /** Added to the host's scrubbed environment. */
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string | Uint8Array;
  readonly timeoutMs?: number;
  /** Called with output as it arrives, for live display. */
  onOutput?(chunk: string, stream: "stdout" | "stderr"): void;
}

export interface ProcessOutcome {
  readonly stdout: CapturedOutput;
  readonly stderr: CapturedOutput;
  /** Null if a signal ended the process. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly durationMs: number;
  readonly timedOut: boolean;
  /** True if a child left behind still holds the output pipes. */
  readonly backgroundChild: boolean;
}

export interface CapturedOutput {
  /** Head and tail if the output was truncated. */
  readonly text: string;
  readonly totalBytes: number;
  readonly omittedBytes: number;
}

export interface CommandRunOptions {
  /** Workspace-relative. */
  readonly cwd?: string;
  readonly timeoutMs?: number;
  /** The first program of a pipeline reads what `write` sends; otherwise it has no input. */
  readonly interactive?: boolean;
  onOutput?(chunk: string, stream: "stdout" | "stderr"): void;
}

/** One command line in progress. The time limit, an abort and `close` each end every process it has started. */
export interface CommandRun {
  /** The directory of the next pipeline, relative to the workspace root. */
  readonly cwd: string;
  /** Returns false and writes a line to stderr if the workspace has no such directory. */
  changeDirectory(path: string): Promise<boolean>;
  /** Lists the names in a directory relative to `cwd`; empty if it cannot be listed. */
  list(path: string): Promise<readonly ListedName[]>;
  /** Runs commands joined by pipes and waits for all of them. Rejects when the signal aborts. */
  pipe(request: PipelineRequest): Promise<PipelineStatus>;
  /** Writes to the running pipeline. Returns false if nothing there reads input. */
  write(text: string): boolean;
  /** Returns the output so far. */
  output(): CommandOutput;
  /** Ends all processes that are still running or were left behind. */
  close(): Promise<CommandOutput>;
}

export interface ListedName {
  readonly name: string;
  readonly isDirectory: boolean;
}

export interface PipelineRequest {
  readonly commands: readonly PipedCommand[];
  /** Input of the first command. Defaults to none. */
  readonly input?: string;
  /** Return the last command's whole output instead of adding it to the output. */
  readonly collect?: { readonly maxBytes: number };
}

export interface PipedCommand {
  readonly argv: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** In source order, which decides what a duplicate refers to. */
  readonly redirections?: readonly Redirection[];
}

export type Redirection =
  | { readonly kind: "null"; readonly fd: 0 | 1 | 2 }
  /** A file of the workspace, relative to `cwd`. */
  | { readonly kind: "read"; readonly fd: 0; readonly path: string }
  | { readonly kind: "duplicate"; readonly fd: 0 | 1 | 2; readonly from: 0 | 1 | 2 };

export interface PipelineStatus {
  /**
   * Exit code of the last command: 128 plus the signal number if a signal ended it, 127 if the program does not exist.
   */
  readonly exitCode: number;
  readonly collected?: string;
  /** The program that does not exist. Nothing in the pipeline ran then. */
  readonly notFound?: string;
}

export interface CommandOutput {
  readonly stdout: CapturedOutput;
  readonly stderr: CapturedOutput;
  readonly durationMs: number;
  readonly timedOut: boolean;
  /** True if processes outlived the command and were killed. */
  readonly leftBehind: boolean;
  /** Path of the full output, up to a cap, on the host's disk; set if the output was truncated. */
  readonly logPath?: string;
}
