import type { Readable, Writable } from "node:stream";

/** What a command reads and writes. Results go to `stdout`, everything else to `stderr`. */
export interface CliIo {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly fd?: number | undefined };
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly rows?: number };
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

/** Streams are made when somebody asks for them: opening standard input takes longer than parsing a command. */
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

/** A person can be asked: there is somebody to read the question and to type an answer. */
export function isInteractive(io: CliIo): boolean {
  return io.stderr.isTTY === true && io.stdin.isTTY === true;
}

/** Colour only where a person looks, and only if they did not say no. */
export function wantsColour(stream: { readonly isTTY?: boolean }, env: CliIo["env"]): boolean {
  return stream.isTTY === true && (env.NO_COLOR ?? "") === "" && env.TERM !== "dumb";
}
