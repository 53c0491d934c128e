import type { Redact } from "@haft/core";
import type { CapturedOutput, CommandRunOptions } from "@haft/core/capabilities";
import { OutputCapture } from "./output-capture.js";
import { OutputLog } from "./output-log.js";
import { StreamedOutput } from "./streamed-output.js";

export type StreamName = "stdout" | "stderr";

export interface RecorderOptions {
  /** Where output beyond the memory limit is written. If undefined, it is only counted. */
  readonly logDirectory?: string | undefined;
  /** Redacts secrets from captured, logged and streamed output. */
  readonly redact?: Redact | undefined;
  readonly onOutput?: CommandRunOptions["onOutput"] | undefined;
  /** The number of bytes kept of each stream. */
  readonly keptBytes?: number | undefined;
}

/** Records both streams of a command: captures an excerpt, logs everything, and notifies listeners. */
export class OutputRecorder {
  readonly #captures: Readonly<Record<StreamName, OutputCapture>>;
  readonly #told: Readonly<Record<StreamName, StreamedOutput>> | undefined;
  readonly #options: RecorderOptions;
  #log: OutputLog | undefined;
  #cannotLog = false;

  constructor(options: RecorderOptions) {
    this.#options = options;
    const keptBytes = options.keptBytes ?? KEPT_BYTES;
    const headBytes = Math.floor(keptBytes / 4);
    const limits = { headBytes, tailBytes: keptBytes - headBytes };
    this.#captures = { stdout: new OutputCapture(limits), stderr: new OutputCapture(limits) };
    const { onOutput, redact } = options;
    const told = (stream: StreamName) => new StreamedOutput((text) => onOutput?.(text, stream), redact);
    this.#told = onOutput && { stdout: told("stdout"), stderr: told("stderr") };
  }

  push(chunk: Buffer, stream: StreamName): void {
    const capture = this.#captures[stream];
    if (this.#log === undefined && !capture.hasRoomFor(chunk.length)) this.#startLog();
    this.#append(chunk, stream);
    capture.push(chunk);
    this.#told?.[stream].push(chunk);
  }

  note(line: string): void {
    this.push(Buffer.from(`${line}\n`), "stderr");
  }

  result(): { stdout: CapturedOutput; stderr: CapturedOutput; logPath?: string } {
    const { stdout, stderr } = this.#captures;
    return {
      stdout: this.#shown(stdout),
      stderr: this.#shown(stderr),
      ...(this.#log === undefined ? {} : { logPath: this.#log.path }),
    };
  }

  close(): void {
    this.#guarded(() => this.#log?.close());
    this.#told?.stdout.close();
    this.#told?.stderr.close();
  }

  #shown(capture: OutputCapture): CapturedOutput {
    const output = capture.result();
    return { ...output, text: this.#plain(output.text) };
  }

  #plain(text: string): string {
    return text === "" ? text : (this.#options.redact?.(text) ?? text);
  }

  #startLog(): void {
    const { logDirectory, redact } = this.#options;
    if (logDirectory === undefined || this.#cannotLog) return;
    this.#guarded(() => {
      this.#log = new OutputLog(logDirectory, redact);
      for (const stream of ["stdout", "stderr"] as const)
        for (const bytes of this.#captures[stream].kept()) this.#log.append(bytes, stream);
    });
  }

  #append(chunk: Buffer, stream: StreamName): void {
    if (this.#log !== undefined) this.#guarded(() => this.#log?.append(chunk, stream));
  }

  /** Ignores write errors: a full disk loses the log but never fails the command. */
  #guarded(write: () => void): void {
    try {
      write();
    } catch {
      const log = this.#log;
      this.#cannotLog = true;
      this.#log = undefined;
      if (log !== undefined) release(log);
    }
  }
}

const KEPT_BYTES = 48 * 1024;

function release(log: OutputLog): void {
  try {
    log.close();
  } catch {
    // It could not be written before either.
  }
}
