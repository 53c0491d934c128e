/** Runs programs for tools that hold ExecuteCommands. There is no shell behind it: argv only. */
export interface ProcessRunner {
  run(request: ProcessRequest, signal: AbortSignal): Promise<ProcessOutcome>;
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
