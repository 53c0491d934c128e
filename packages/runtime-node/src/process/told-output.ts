import type { Redact } from "@haft/core";
import { RedactedLines } from "./redacted-lines.js";

/**
 * Tells one stream while it comes, without secrets: a line when it is complete, and soon what there is of one that is
 * not, for it may be a question.
 */
export class ToldOutput {
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

  /** What came after the last line break. */
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
