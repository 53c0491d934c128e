/** What one run of the portable tier is told, on descriptor 3. */
export interface PortableRequest {
  /** The module of just-bash, as a URL. */
  readonly entry: string;
  /** Where the workspace seems to be, and the folder that stands for it. */
  readonly root: string;
  readonly folder: string;
  /** Paths of the workspace that are not in the folder and cannot be made there. */
  readonly sealed: readonly string[];
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
import { readFileSync, readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, join, posix, relative, resolve, sep } from "node:path";
const request = JSON.parse(readFileSync(3, "utf8"));
const { Bash, InMemoryFs, MountableFs, ReadWriteFs, stdoutAsBytes } = await import(request.entry);
const MUCH = 1_000_000_000;
const folder = realpathSync(request.folder);
const denied = (call, path) => new Error("EACCES: permission denied, " + call + " '" + path + "'");
const linkAt = (at) => {
  try { return readlinkSync(at); } catch { return undefined; }
};
// Where a path would be made, all links followed, also those that lead to nothing yet.
const placeOf = (path) => {
  const missing = [];
  let at = join(folder, path);
  for (let links = 0; links < 40; ) {
    try { return join(realpathSync(at), ...missing); } catch {}
    const target = linkAt(at);
    if (target === undefined) missing.unshift(basename(at));
    else links += 1;
    at = target === undefined ? dirname(at) : resolve(dirname(at), target);
  }
  return folder;
};
// What is there and not in the copy: code that writes it is told at once, not when all is over.
const sealed = new Set(request.sealed);
const isSealed = (path) => {
  let place = relative(folder, placeOf(path)).split(sep).join("/");
  for (; place !== "" && place !== "."; place = posix.dirname(place)) if (sealed.has(place)) return true;
  return false;
};
// A link out of the workspace would lead to a place in the copy that only seems to be there, so none is made;
// and what was meant for where it leads does not become a folder of its name.
class Copy extends ReadWriteFs {
  #refused = [];
  // A link that leads out or to nothing is an entry like others; over a folder with one that fails, Python lists nothing.
  async stat(path) {
    if (isSealed(path)) throw denied("stat", path);
    try {
      return await super.stat(path);
    } catch (error) {
      const own = await super.lstat(path).catch(() => undefined);
      if (own?.isSymbolicLink) return own;
      throw error;
    }
  }
  // It is there, and bash takes back a redirection only where it can see that before it writes.
  async exists(path) {
    return isSealed(path) || super.exists(path);
  }
  // As it was written; the library tells only the last name of what leads out, which may be another file of ours.
  async readlink(path) {
    const told = await super.readlink(path);
    const target = linkAt(join(folder, path)) ?? told;
    if (!posix.isAbsolute(target) || posix.relative(request.root, target).startsWith("..")) return target;
    return posix.relative(posix.dirname(posix.join(request.root, path)), target) || ".";
  }
  async mkdir(path, ...rest) {
    if (isSealed(path)) throw denied("mkdir", path);
    return super.mkdir(path, ...rest);
  }
  async utimes(path, ...rest) {
    if (isSealed(path)) throw denied("utimes", path);
    return super.utimes(path, ...rest);
  }
  async link(from, path) {
    if (isSealed(path)) throw denied("link", path);
    return super.link(from, path);
  }
  async symlink(target, path) {
    if (isSealed(path)) throw denied("symlink", path);
    const from = posix.dirname(posix.join(request.root, path));
    const to = posix.resolve(from, target);
    if (to === request.root || to.startsWith(request.root + "/")) return super.symlink(posix.relative(from, to) || ".", path);
    this.#refused.push(posix.normalize(path));
    throw new Error("EACCES: permission denied, it would lead out of the workspace, symlink '" + path + "'");
  }
  async writeFile(path, ...rest) {
    await this.#assertPlace(path);
    return super.writeFile(path, ...rest);
  }
  async appendFile(path, ...rest) {
    await this.#assertPlace(path);
    return super.appendFile(path, ...rest);
  }
  async cp(from, path, ...rest) {
    await this.#assertPlace(path);
    return super.cp(from, path, ...rest);
  }
  async mv(from, path, ...rest) {
    await this.#assertPlace(path);
    return super.mv(from, path, ...rest);
  }
  async #assertPlace(path) {
    if (isSealed(path)) throw denied("open", path);
    for (const refused of this.#refused)
      if (path.startsWith(refused + "/") && !(await this.exists(refused)))
        throw new Error("ENOENT: no such file or directory, open '" + path + "'");
  }
}
const fs = new MountableFs({
  base: new InMemoryFs({}, { maxTotalBytes: 256 * 1024 * 1024 }),
  mounts: [{
    mountPoint: request.root,
    filesystem: new Copy({ root: request.folder, allowSymlinks: true, maxFileReadSize: 64 * 1024 * 1024 }),
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
// Some failures end the whole interpreter, with a trace that is of no use to anybody.
const failed = (error) => ({ stdout: "", stderr: "bash: " + (error?.message ?? error) + "\\n", exitCode: 1 });
const result = await bash.exec(quoted, { stdin: request.stdin }).catch(failed);
const write = (stream, bytes) => new Promise((resolve) => stream.write(bytes, resolve));
await write(process.stdout, Buffer.from(stdoutAsBytes(result), "latin1"));
await write(process.stderr, result.stderr);
process.exit(result.exitCode);
`;
