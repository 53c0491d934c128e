const { existsSync, readFileSync } = require("node:fs");
const nodeModule = require("node:module");
const { homedir } = require("node:os");
const { dirname, join } = require("node:path");
const { Script } = require("node:vm");

/** Runs a bundle with the code V8 made of it at build time, where it was built by the same Node. */
exports.loadBundle = (file) => {
  const compiled = compiledName(file);
  if (existsSync(compiled)) {
    runScript(file, readScript(file, readFileSync(compiled)));
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

const readScript = (file, cachedData) =>
  new Script(nodeModule.wrap(readFileSync(file, "latin1")), { filename: file, cachedData });

const runScript = (file, script) => {
  const module = { exports: {} };
  const run = script.runInThisContext();
  run(module.exports, nodeModule.createRequire(file), module, file, dirname(file));
};

Object.assign(exports, { compiledName, readScript, runScript });
