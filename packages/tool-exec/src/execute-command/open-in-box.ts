import type { CodeSandbox, CommandOutput } from "@haft/core/capabilities";
import type { BackgroundRun } from "../process/background-commands.js";
import { NewOutput } from "../process/new-output.js";
import { boxCommand } from "./box-command.js";
import type { ExecuteCommandArgs } from "./execute-command-schema.js";
import { type DecidedCommand, type ReadyCommand, textOf } from "./run-on-host.js";

/**
 * Opens a command that keeps running in the box after its call. It sees the current workspace, and writes only to
 * shared and temporary folders, so there is nothing to record when it ends.
 */
export async function openInBox(
  args: ExecuteCommandArgs,
  { decision, judging }: DecidedCommand,
  box: CodeSandbox,
): Promise<ReadyCommand> {
  const life = new AbortController();
  let hasStarted = (): void => {};
  const started = new Promise<void>((resolve) => {
    hasStarted = resolve;
  });
  const output = new NewOutput();
  const run = new BoxedRun(() => life.abort());
  const request = {
    ...(await boxCommand(args, decision, judging)),
    kind: "command" as const,
    cwd: args.cwd,
    live: true,
    ...(args.ports !== undefined && { ports: args.ports }),
    onInput: (type: (text: string) => boolean) => {
      run.typesWith(type);
      hasStarted();
    },
    onOutput: (chunk: string, stream: "stdout" | "stderr") => {
      run.count(chunk, stream);
      output.push(chunk);
    },
  };
  const execute = async () => (await box.run(request, life.signal).finally(() => run.ended())).exitCode;
  return { command: textOf(args), run, output, life, execute, started };
}

class BoxedRun implements BackgroundRun {
  readonly #startedAt = performance.now();
  readonly #bytes = { stdout: 0, stderr: 0 };
  readonly #stop: () => void;
  #endedAt: number | undefined;
  /** Input received before the box was ready. */
  readonly #early: string[] = [];
  #type: (text: string) => boolean = (text) => this.#early.push(text) > 0;

  constructor(stop: () => void) {
    this.#stop = stop;
  }

  typesWith(type: (text: string) => boolean): void {
    this.#type = type;
    for (const text of this.#early.splice(0)) type(text);
  }

  count(chunk: string, stream: "stdout" | "stderr"): void {
    this.#bytes[stream] += new TextEncoder().encode(chunk).length;
  }

  ended(): void {
    this.#endedAt ??= performance.now();
    this.#type = () => false;
  }

  write(text: string): boolean {
    return this.#type(text);
  }

  output(): CommandOutput {
    const { stdout, stderr } = this.#bytes;
    return {
      stdout: { text: "", totalBytes: stdout, omittedBytes: stdout },
      stderr: { text: "", totalBytes: stderr, omittedBytes: stderr },
      durationMs: Math.round((this.#endedAt ?? performance.now()) - this.#startedAt),
      timedOut: false,
      leftBehind: false,
    };
  }

  async close(): Promise<CommandOutput> {
    if (this.#endedAt === undefined) this.#stop();
    return this.output();
  }
}
