import { Writable } from "node:stream";
import type { CliIo } from "../cli-io.js";

/**
 * Takes standard output for results or a protocol: what is returned is the only way left to write to
 * it. Whatever else in the process prints there (a configuration, a pack, a library) ends up on
 * standard error. Once is enough: what was reserved before is given back as it is.
 */
export function reserveStdout({ stdout, stderr }: Pick<CliIo, "stdout" | "stderr">): ReservedStdout {
  if (stdout instanceof ReservedStdout) return stdout;
  const reserved = new ReservedStdout(stdout);
  stdout.write = stderr.write.bind(stderr);
  return reserved;
}

export class ReservedStdout extends Writable {
  readonly isTTY: boolean;
  /** What it is written to in the end, where that is known. */
  readonly fd: number | undefined;
  readonly #write: Writable["write"];

  constructor(stdout: CliIo["stdout"]) {
    super();
    this.isTTY = stdout.isTTY === true;
    this.fd = stdout.fd;
    this.#write = stdout.write.bind(stdout);
    stdout.on("error", (error) => this.destroy(error));
  }

  override _write(chunk: unknown, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#write(chunk, encoding, done);
  }
}
