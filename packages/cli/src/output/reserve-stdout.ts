import { Writable } from "node:stream";
import type { CliIo } from "../cli-io.js";

/**
 * Takes standard output for a protocol: what is returned is the only way left to write to it.
 * Whatever else in the process prints there (a pack, a library) ends up on standard error.
 */
export function reserveStdout({ stdout, stderr }: CliIo): Writable {
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  const reserved = new Writable({
    write: (chunk, encoding, done) => {
      write(chunk, encoding, done);
    },
  });
  stdout.on("error", (error) => reserved.destroy(error));
  return reserved;
}
