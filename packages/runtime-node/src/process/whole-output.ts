import { ToolError } from "@haft/core";

/** Takes a whole output up to a limit; more than that is refused, because half of it would be wrong. */
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
          hint: "Ask the command before it for less.",
        },
      );
    return Buffer.concat(this.#chunks).toString("utf8");
  }
}
