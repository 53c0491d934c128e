import { ToolError } from "@haft/core";

/** Collects an entire output up to a limit. Rejects more than that, because a partial output would be wrong. */
export class WholeOutput {
  readonly #maxBytes: number;
  readonly #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  push(chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes <= this.#maxBytes) this.#chunks.push(chunk);
  }

  text(): string {
    if (this.#bytes > this.#maxBytes)
      throw new ToolError(
        "LIMIT_EXCEEDED",
        `A command passed on ${this.#bytes} bytes, which is more than can be checked`,
        {
          hint: "Make the preceding command print less.",
        },
      );
    return Buffer.concat(this.#chunks).toString("utf8");
  }
}
