/** The request of one run in the portable tier, sent on descriptor 3. */
export interface PortableRequest {
  /** The URL of the just-bash module. */
  readonly entry: string;
  /** The path of the workspace as code sees it, and the folder behind it. */
  readonly root: string;
  readonly folder: string;
  /** Paths of the workspace that are not in the folder and cannot be created there. */
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
 * The program of that run: an interpreter for bash, and Python in WebAssembly, with access to the folder only and no
 * network. It is a separate process because a busy loop in it blocks everything. Stored as text, so that it runs the
 * same from source and from a build.
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
// Returns where a path would be created, following all links, even dangling ones.
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
// Exists in the workspace but not in the copy: a write fails at once, not at the end.
const sealed = new Set(request.sealed);
const isSealed = (path) => {
  let place = relative(folder, placeOf(path)).split(sep).join("/");
  for (; place !== "" && place !== "."; place = posix.dirname(place)) if (sealed.has(place)) return true;
  return false;
};
// A link out of the workspace would lead to a place in the copy that only seems to exist, so none is created. A write through such a link must not
// create a folder of its name either.
class Copy extends ReadWriteFs {
  #refused = [];
  // A link that leads out or nowhere is an ordinary entry; Python lists nothing in a folder where stat fails.
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
  // Reports it as existing: bash undoes a redirection only if it sees the file before it writes.
  async exists(path) {
    return isSealed(path) || super.exists(path);
  }
  // Returns the target as written. For a link that leads out, the library returns only the last name, which may be
  // another file of ours.
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
// Some failures end the whole interpreter, with a useless stack trace.
const failed = (error) => ({ stdout: "", stderr: "bash: " + (error?.message ?? error) + "\\n", exitCode: 1 });
const result = await bash.exec(quoted, { stdin: request.stdin }).catch(failed);
const write = (stream, bytes) => new Promise((resolve) => stream.write(bytes, resolve));
await write(process.stdout, Buffer.from(stdoutAsBytes(result), "latin1"));
await write(process.stderr, result.stderr);
process.exit(result.exitCode);
`;
