import { Writable } from "node:stream";
import type { CliIo } from "../cli-io.js";

/**
 * Reserves standard output for results or a protocol. The returned stream is the only way to write to it; everything
 * else that prints (a configuration, a pack, a library) goes to standard error. Reserving twice returns the same
 * stream.
 */
export function reserveStdout({ stdout, stderr }: Pick<CliIo, "stdout" | "stderr">): ReservedStdout {
  if (stdout instanceof ReservedStdout) return stdout;
  const reserved = new ReservedStdout(stdout);
  stdout.write = stderr.write.bind(stderr);
  return reserved;
}

class ReservedStdout extends Writable {
  readonly isTTY: boolean;
  readonly #stdout: CliIo["stdout"];
  /** The file descriptor behind the stream, if known. */
  readonly fd: number | undefined;
  readonly #write: Writable["write"];

  constructor(stdout: CliIo["stdout"]) {
    super();
    this.#stdout = stdout;
    this.isTTY = stdout.isTTY === true;
    this.fd = stdout.fd;
    this.#write = stdout.write.bind(stdout);
    stdout.on("error", (error) => this.destroy(error));
    if (this.isTTY) stdout.on("resize", () => this.emit("resize"));
  }

  get columns(): number | undefined {
    return this.#stdout.columns;
  }

  get rows(): number | undefined {
    return this.#stdout.rows;
  }

  /** Writes synchronously while there is room, so that output keeps its order relative to standard error. */
  override _write(chunk: unknown, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    if (this.#write(chunk, encoding)) done();
    else this.#stdout.once("drain", done);
  }
}
