// node save-compiled.cjs LOADER BUNDLE ARGUMENTS…: runs a bundle as its loader does, and saves the compiled code of
// those of its files that have none yet.
const { existsSync, writeFileSync } = require("node:fs");
const { setFlagsFromString } = require("node:v8");

const [, , loader, bundle, ...args] = process.argv;
const { compiledName, readScript, runCompiled } = require(loader);
process.argv.splice(1, process.argv.length, bundle, ...args);
const scripts = new Map();
process.on("exit", () => {
  // As a process that starts has it: code made under other flags is not taken in.
  setFlagsFromString("--semi-space-growth-factor=2");
  for (const [file, script] of scripts) {
    if (!existsSync(compiledName(file))) writeFileSync(compiledName(file), script.createCachedData());
  }
});
runCompiled(bundle, (file) => {
  const script = readScript(file, undefined);
  scripts.set(file, script);
  return script;
});
