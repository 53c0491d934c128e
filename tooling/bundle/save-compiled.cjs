// Runs a bundle like its loader, and saves the compiled code of its files: the existing code plus what this run
// compiled.
// Usage: node save-compiled.cjs LOADER BUNDLE ARGUMENTS…
const { writeFileSync } = require("node:fs");
const { setFlagsFromString } = require("node:v8");

const [, , loader, bundle, ...args] = process.argv;
const { compiledName, readCompiled, runCompiled } = require(loader);
process.argv.splice(1, process.argv.length, bundle, ...args);
const scripts = new Map();
process.on("exit", () => {
  // Must match the flags of a normal start: V8 rejects code compiled under other flags.
  setFlagsFromString("--semi-space-growth-factor=2");
  for (const [file, { script, stamp }] of scripts) {
    writeFileSync(
      compiledName(file),
      Buffer.concat([script.createCachedData(), Buffer.from(stamp, "latin1")]),
    );
  }
});
runCompiled(bundle, (file) => {
  scripts.set(file, readCompiled(file));
  return scripts.get(file).script;
});
