import { stripVTControlCharacters } from "node:util";
import type { Progress } from "@haft/core";
import { renderInline } from "@haft/text";

/** Sends one notification. The transport handles failures. */
export type Notify = (params: ProgressParams) => void;

export interface ProgressParams {
  readonly progressToken: string | number;
  readonly progress: number;
  readonly total?: number;
  readonly message: string;
}

/** Converts progress reports into notifications: strictly increasing, and no faster than a person can read. */
export class ProgressReporter {
  readonly #token: string | number;
  readonly #notify: Notify;
  #last = 0;
  #lastAt = Number.NEGATIVE_INFINITY;

  constructor(token: string | number, notify: Notify) {
    this.#token = token;
    this.#notify = notify;
  }

  report({ message, done, total }: Progress): void {
    const now = performance.now();
    const progress = done ?? this.#last + 1;
    if (progress <= this.#last || now - this.#lastAt < MIN_INTERVAL_MS) return;
    this.#last = progress;
    this.#lastAt = now;
    this.#notify({
      progressToken: this.#token,
      progress,
      ...(total === undefined ? {} : { total }),
      message: renderInline(withoutColours(message), { maxChars: MAX_MESSAGE_CHARS }),
    });
  }
}

/** Commands report their live output, which clients display as plain text. */
function withoutColours(message: string): string {
  return stripVTControlCharacters(message).replace(/\r\n/g, "\n").trimEnd();
}

const MIN_INTERVAL_MS = 50;
const MAX_MESSAGE_CHARS = 500;
