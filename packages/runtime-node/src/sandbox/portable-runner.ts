/** What one run of the portable tier is told, on descriptor 3. */
export interface PortableRequest {
  /** The module of just-bash, as a URL. */
  readonly entry: string;
  /** Where the workspace seems to be, and the folder that stands for it. */
  readonly root: string;
  readonly folder: string;
  readonly cwd: string;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: string;
  readonly script?: { readonly path: string; readonly content: string } | undefined;
  readonly timeoutMs: number;
  readonly outputBytes: number;
}

/**
 * The program of that run: an interpreter for bash and a Python in WebAssembly that know no files but
 * the folder and no network. It is a process of its own because a busy loop in it answers nobody. Kept
 * as text, so that it runs the same from source and from a build.
 */
export const PORTABLE_RUNNER = `
import { readFileSync } from "node:fs";
const request = JSON.parse(readFileSync(3, "utf8"));
const { Bash, InMemoryFs, MountableFs, ReadWriteFs, stdoutAsBytes } = await import(request.entry);
const MUCH = 1_000_000_000;
const fs = new MountableFs({
  base: new InMemoryFs({}, { maxTotalBytes: 256 * 1024 * 1024 }),
  mounts: [{
    mountPoint: request.root,
    filesystem: new ReadWriteFs({ root: request.folder, allowSymlinks: true, maxFileReadSize: 64 * 1024 * 1024 }),
  }],
});
if (request.script) await fs.writeFile(request.script.path, request.script.content);
const bash = new Bash({
  fs,
  cwd: request.cwd,
  env: request.env,
  python: true,
  executionLimits: {
    maxCommandCount: MUCH, maxLoopIterations: MUCH, maxAwkIterations: MUCH, maxSedIterations: MUCH, maxWorkUnits: MUCH,
    maxPythonTimeoutMs: request.timeoutMs, maxExecutionTimeMs: request.timeoutMs, maxOutputSize: request.outputBytes,
  },
});
const quoted = request.argv.map((word) => "'" + word.split("'").join("'\\\\''") + "'").join(" ");
const result = await bash.exec(quoted, { stdin: request.stdin });
const write = (stream, bytes) => new Promise((resolve) => stream.write(bytes, resolve));
await write(process.stdout, Buffer.from(stdoutAsBytes(result), "latin1"));
await write(process.stderr, result.stderr);
process.exit(result.exitCode);
`;
