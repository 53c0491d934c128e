const { existsSync, readFileSync } = require("node:fs");
const nodeModule = require("node:module");
const { homedir } = require("node:os");
const { basename, dirname, join } = require("node:path");
const { Script } = require("node:vm");

/** Runs a bundle with the code V8 made of its files at build time, where it was built by the same Node. */
exports.loadBundle = (file) => {
  if (existsSync(compiledName(file))) {
    runCompiled(file, readCompiled);
    return;
  }
  // From Node 22.1 on, Node keeps compiled code itself; not in a temporary folder, where others could put some.
  nodeModule.enableCompileCache?.(
    join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "haft", "compiled"),
  );
  require(file);
};

/** Code made by another Node, or for another processor, is not looked at. */
const compiledName = (file) => `${file}.${process.version}-${process.arch}.cache`;

/** Runs a file of a bundle and, as they are required, the others beside it, each once. */
const runCompiled = (entry, scriptOf) => {
  const folder = dirname(entry);
  const requireFromNode = nodeModule.createRequire(entry);
  const modules = new Map();
  const requireHere = (name) => {
    // What is no script of the bundle, or imports what is not known before it runs.
    if (!name.startsWith("./") || name === "./import-module.cjs") return requireFromNode(name);
    return (modules.get(name) ?? run(name)).exports;
  };
  const run = (name) => {
    const file = join(folder, name);
    const module = { exports: {} };
    modules.set(name, module);
    scriptOf(file).runInThisContext()(module.exports, requireHere, module, file, folder);
    return module;
  };
  requireHere.resolve = requireFromNode.resolve;
  run(`./${basename(entry)}`);
};

const readCompiled = (file) => {
  const compiled = compiledName(file);
  const cachedData = existsSync(compiled) ? readFileSync(compiled) : undefined;
  return new Script(nodeModule.wrap(readFileSync(file, "latin1")), { filename: file, cachedData });
};

Object.assign(exports, { compiledName, readCompiled, runCompiled });
