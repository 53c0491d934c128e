const { existsSync, lstatSync, mkdirSync, readFileSync, renameSync, writeFileSync } = require("node:fs");
const nodeModule = require("node:module");
const { homedir } = require("node:os");
const { basename, dirname, isAbsolute, join } = require("node:path");
const { Script } = require("node:vm");

/**
 * Runs a bundle with cached bytecode, created at build time by the same Node or by an earlier run. Node 22.1 and later
 * cache it themselves.
 */
exports.loadBundle = (file) => {
  if (existsSync(compiledName(file))) {
    runCompiled(file, (each) => readCompiled(each).script);
    return;
  }
  const cache = cacheHome();
  // Never uses a temporary folder, where others could plant code.
  const folder = cache && join(cache, "haft", "compiled");
  if (folder !== undefined && nodeModule.enableCompileCache === undefined) runAndKeep(file, folder);
  else {
    if (folder !== undefined) nodeModule.enableCompileCache(folder);
    require(file);
  }
};

/** Runs a bundle and, on exit, writes the bytecode of files that had none. */
const runAndKeep = (file, folder) => {
  const isOwn = makeOwnFolder(folder);
  const compiledAt = (each, stamp) =>
    join(folder, `${basename(each)}.${stamp.replaceAll(/\W/g, "")}.${process.version}-${process.arch}.cache`);
  const fresh = [];
  runCompiled(file, (each) => {
    const read = readCompiled(each, isOwn ? compiledAt : () => "");
    if (isOwn && read.script.cachedDataRejected !== false)
      fresh.push({ ...read, name: compiledAt(each, read.stamp) });
    return read.script;
  });
  process.once("exit", () => fresh.forEach(keepCompiled));
};

/** Returns false if another user could have written there. */
const makeOwnFolder = (folder) => {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { uid, mode } = lstatSync(folder);
    return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
  } catch {
    return false;
  }
};

const keepCompiled = ({ script, stamp, name }) => {
  try {
    // Matches the flags of a starting process: V8 rejects code compiled under other flags.
    require("node:v8").setFlagsFromString("--semi-space-growth-factor=2");
    const temporary = `${name}.${process.pid}`;
    writeFileSync(temporary, Buffer.concat([script.createCachedData(), Buffer.from(stamp, "latin1")]), {
      flag: "wx",
      mode: 0o600,
    });
    renameSync(temporary, name);
  } catch {
    // A full disk or read-only home: the next run compiles again.
  }
};

/**
 * Returns undefined if the user has no cache folder. Never relative, because the current folder belongs to a project.
 */
const cacheHome = () => {
  const configured = process.env.XDG_CACHE_HOME;
  if (configured !== undefined && isAbsolute(configured)) return configured;
  try {
    const home = homedir();
    return isAbsolute(home) ? join(home, ".cache") : undefined;
  } catch {
    // The system does not know the user, as in some containers.
    return undefined;
  }
};

/** Ignores bytecode of another Node version or architecture. */
const compiledName = (file) => `${file}.${process.version}-${process.arch}.cache`;

/** Runs a bundle file and, when required, the files beside it, each once. */
const runCompiled = (entry, scriptOf) => {
  const folder = dirname(entry);
  const requireFromNode = nodeModule.createRequire(entry);
  const modules = new Map();
  const requireHere = (name) => {
    if (!name.startsWith("./") || FOR_NODE.test(name)) return requireFromNode(name);
    return (modules.get(name) ?? run(name)).exports;
  };
  const run = (name) => {
    const file = join(folder, name);
    const module = { exports: {} };
    modules.set(name, module);
    try {
      scriptOf(file).runInThisContext()(module.exports, requireHere, module, file, folder);
    } catch (error) {
      // A failed read may succeed later.
      modules.delete(name);
      throw error;
    }
    return module;
  };
  requireHere.resolve = requireFromNode.resolve;
  run(`./${basename(entry)}`);
};

/** Uses a plain import, which a cached script cannot contain; these files share nothing with the others. */
const FOR_NODE = /^\.\/(import-module|lib-.*)\.cjs$/;

/** The build ends each script with a comment derived from its content: its stamp. */
const readCompiled = (file, nameOf = compiledName) => {
  const source = readFileSync(file, "latin1");
  const stamp = source.slice(-STAMP_LENGTH);
  const cachedData = compiledOf(nameOf(file, stamp), stamp);
  return { script: new Script(nodeModule.wrap(source), { filename: file, cachedData }), stamp };
};

/** V8 compares only the length of scripts, so bytecode ends with the stamp of its source. */
const compiledOf = (compiled, stamp) => {
  if (!existsSync(compiled)) return undefined;
  const bytes = readFileSync(compiled);
  const isOfThis = bytes.subarray(-STAMP_LENGTH).toString("latin1") === stamp;
  return isOfThis ? bytes.subarray(0, -STAMP_LENGTH) : undefined;
};

const STAMP_LENGTH = 16;

Object.assign(exports, { compiledName, readCompiled, runCompiled });
