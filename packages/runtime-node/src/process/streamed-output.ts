import type { Redact } from "@haft/core";
import { RedactedLines } from "./redacted-lines.js";

/**
 * Streams one output without secrets: complete lines at once, and an incomplete one after a moment, since it may be a
 * prompt.
 */
export class StreamedOutput {
  readonly #tell: (text: string) => void;
  readonly #lines: RedactedLines | undefined;
  readonly #decoder = new TextDecoder("utf-8");
  #timer: NodeJS.Timeout | undefined;

  constructor(tell: (text: string) => void, redact?: Redact) {
    this.#tell = tell;
    this.#lines = redact === undefined ? undefined : new RedactedLines(redact);
  }

  push(chunk: Buffer): void {
    this.#say(this.#decoder.decode(this.#lines?.push(chunk) ?? chunk, { stream: true }));
    if (this.#lines?.hasPending) this.#timer ??= setTimeout(this.#early, EARLY_MS).unref();
  }

  /** Streams the text after the last line break. */
  close(): void {
    clearTimeout(this.#timer);
    this.#say(this.#decoder.decode(this.#lines?.rest()));
  }

  readonly #early = (): void => {
    this.#timer = undefined;
    this.#say(this.#lines?.early() ?? "");
  };

  #say(text: string): void {
    if (text !== "") this.#tell(text);
  }
}

const EARLY_MS = 100;
