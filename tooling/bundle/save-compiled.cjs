// node save-compiled.cjs LOADER BUNDLE ARGUMENTS…: runs a bundle as its loader does, and saves its compiled code.
const { writeFileSync } = require("node:fs");

const [, , loader, bundle, ...args] = process.argv;
const { compiledName, readScript, runScript } = require(loader);
process.argv.splice(1, process.argv.length, bundle, ...args);
const script = readScript(bundle, undefined);
process.on("exit", () => writeFileSync(compiledName(bundle), script.createCachedData()));
runScript(bundle, script);
