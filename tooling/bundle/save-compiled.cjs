// node save-compiled.cjs LOADER BUNDLE ARGUMENTS…: runs a bundle as its loader does, and saves the compiled code of its
// files: what they had before, and what this run needed.
const { writeFileSync } = require("node:fs");
const { setFlagsFromString } = require("node:v8");

const [, , loader, bundle, ...args] = process.argv;
const { compiledName, readCompiled, runCompiled } = require(loader);
process.argv.splice(1, process.argv.length, bundle, ...args);
const scripts = new Map();
process.on("exit", () => {
  // As a process that starts has it: code made under other flags is not taken in.
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
