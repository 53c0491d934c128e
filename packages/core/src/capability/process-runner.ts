/** Runs programs for tools that hold ExecuteCommands. There is no shell behind it: argv only. */
export interface ProcessRunner {
  run(request: ProcessRequest, signal: AbortSignal): Promise<ProcessOutcome>;
  /**
   * Opens a place where the pipelines of one command line run, one after the other: one directory, one
   * time limit, one output. Whoever opened it closes it.
   */
  open(options: CommandRunOptions, signal: AbortSignal): Promise<CommandRun>;
}

export interface ProcessRequest {
  readonly argv: readonly [string, ...string[]];
  /** Workspace-relative. */
  readonly cwd?: string;
  /** Added to the scrubbed environment of the host. */
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string | Uint8Array;
  readonly timeoutMs?: number;
  /** Output as it comes, for the person watching. */
  onOutput?(chunk: string, stream: "stdout" | "stderr"): void;
}

export interface ProcessOutcome {
  readonly stdout: CapturedOutput;
  readonly stderr: CapturedOutput;
  /** Null when a signal ended the process. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly durationMs: number;
  readonly timedOut: boolean;
  /** A child that was left behind still holds the output pipes. */
  readonly backgroundChild: boolean;
}

export interface CapturedOutput {
  /** The head and the tail when there was more than is kept. */
  readonly text: string;
  readonly totalBytes: number;
  readonly omittedBytes: number;
}

export interface CommandRunOptions {
  /** Workspace-relative. */
  readonly cwd?: string;
  readonly timeoutMs?: number;
  /** The first program of a pipeline reads what is written; otherwise it has no input at all. */
  readonly interactive?: boolean;
  onOutput?(chunk: string, stream: "stdout" | "stderr"): void;
}

/** One command line on its way. Time limit, abort and `close` end every process it has started. */
export interface CommandRun {
  /** Where the next pipeline starts, relative to the workspace root. */
  readonly cwd: string;
  /** False, and a line in stderr, when there is no such directory inside the workspace. */
  changeDirectory(path: string): Promise<boolean>;
  /** The names in a directory, given relative to `cwd`; none when it cannot be listed. */
  list(path: string): Promise<readonly ListedName[]>;
  /** Runs commands joined by pipes and waits for all of them. Rejects when the signal aborts. */
  pipe(request: PipelineRequest): Promise<PipelineStatus>;
  /** Types into the pipeline that runs now; false when nothing there reads. */
  write(text: string): boolean;
  /** What came so far. */
  output(): CommandOutput;
  /** Ends what is still running or was left behind. */
  close(): Promise<CommandOutput>;
}

export interface ListedName {
  readonly name: string;
  readonly isDirectory: boolean;
}

export interface PipelineRequest {
  readonly commands: readonly PipedCommand[];
  /** What the first command reads; left out, nothing. */
  readonly input?: string;
  /** Hand over what the last command writes, whole, instead of adding it to the output. */
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
  /** Of the last command; 128 and the signal's number when a signal ended it, 127 when there is no such program. */
  readonly exitCode: number;
  readonly collected?: string;
  /** The program that is not there; then nothing of the pipeline ran. */
  readonly notFound?: string;
}

export interface CommandOutput {
  readonly stdout: CapturedOutput;
  readonly stderr: CapturedOutput;
  readonly durationMs: number;
  readonly timedOut: boolean;
  /** Processes outlived the command and were ended. */
  readonly leftBehind: boolean;
  /** The whole output up to a cap, on the host's disk; there when not all of it was kept. */
  readonly logPath?: string;
}
