const { existsSync, readFileSync } = require("node:fs");
const nodeModule = require("node:module");
const { homedir } = require("node:os");
const { basename, dirname, isAbsolute, join } = require("node:path");
const { Script } = require("node:vm");

/** Runs a bundle with the code V8 made of its files at build time, where it was built by the same Node. */
exports.loadBundle = (file) => {
  if (existsSync(compiledName(file))) {
    runCompiled(file, (each) => readCompiled(each).script);
    return;
  }
  // From Node 22.1 on, Node keeps compiled code itself; not in a temporary folder, where others could put some.
  const cache = cacheHome();
  if (cache !== undefined) nodeModule.enableCompileCache?.(join(cache, "haft", "compiled"));
  require(file);
};

/** Undefined where the user has none; never relative, because the current folder is somebody's project. */
const cacheHome = () => {
  const configured = process.env.XDG_CACHE_HOME;
  if (configured !== undefined && isAbsolute(configured)) return configured;
  try {
    const home = homedir();
    return isAbsolute(home) ? join(home, ".cache") : undefined;
  } catch {
    // A user whom the system does not know, as in containers.
    return undefined;
  }
};

/** Code made by another Node, or for another processor, is not looked at. */
const compiledName = (file) => `${file}.${process.version}-${process.arch}.cache`;

/** Runs a file of a bundle and, as they are required, the others beside it, each once. */
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
      // What could not be read now may be later.
      modules.delete(name);
      throw error;
    }
    return module;
  };
  requireHere.resolve = requireFromNode.resolve;
  run(`./${basename(entry)}`);
};

/** They import what is not known before they run, which a compiled script cannot, and share nothing with the others. */
const FOR_NODE = /^\.\/(import-module|lib-.*)\.cjs$/;

/** The build ends each script with a comment made of its content: its stamp. */
const readCompiled = (file) => {
  const source = readFileSync(file, "latin1");
  const stamp = source.slice(-STAMP_LENGTH);
  const cachedData = compiledOf(file, stamp);
  return { script: new Script(nodeModule.wrap(source), { filename: file, cachedData }), stamp };
};

/** V8 compares no more than the length of scripts: compiled code ends with the stamp of what it was made of. */
const compiledOf = (file, stamp) => {
  const compiled = compiledName(file);
  if (!existsSync(compiled)) return undefined;
  const bytes = readFileSync(compiled);
  const isOfThis = bytes.subarray(-STAMP_LENGTH).toString("latin1") === stamp;
  return isOfThis ? bytes.subarray(0, -STAMP_LENGTH) : undefined;
};

const STAMP_LENGTH = 16;

Object.assign(exports, { compiledName, readCompiled, runCompiled });
