import type { Readable, Writable } from "node:stream";

/** The streams and environment of a command. Results go to `stdout`, everything else to `stderr`. */
export interface CliIo {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

type OutputStream = Writable & {
  readonly isTTY?: boolean;
  readonly rows?: number | undefined;
  readonly columns?: number | undefined;
  readonly fd?: number | undefined;
};

/** Creates streams lazily: opening standard input takes longer than parsing a command line. */
export function processIo(stdout: CliIo["stdout"] = process.stdout): CliIo {
  return {
    get stdin() {
      return process.stdin;
    },
    stdout,
    get stderr() {
      return process.stderr;
    },
    env: process.env,
    cwd: process.cwd(),
  };
}

/** Returns true if a person can read a prompt and type an answer. */
export function isInteractive(io: CliIo): boolean {
  return io.stdin.isTTY === true && (io.stderr.isTTY === true || io.stdout.isTTY === true);
}

/** Returns the streams for questions: with standard error in a file, they appear on the terminal of standard output. */
export function questionIo(io: CliIo): CliIo {
  return io.stderr.isTTY === true || io.stdout.isTTY !== true ? io : { ...io, stderr: io.stdout };
}

/** Colours terminals only, unless NO_COLOR or TERM=dumb turns colour off. */
export function wantsColour(stream: { readonly isTTY?: boolean }, env: CliIo["env"]): boolean {
  return stream.isTTY === true && (env.NO_COLOR ?? "") === "" && env.TERM !== "dumb";
}
