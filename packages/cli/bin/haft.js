#!/usr/bin/env node
// Starting is the commonest thing a command does: nothing is read for what needs nothing, and everything else is
// a few files that V8 has compiled before. CommonJS, because Node 20 takes compiled code for nothing else.
const { existsSync, readFileSync } = require("node:fs");
const { join } = require("node:path");

const dist = join(__dirname, "../dist");
const args = process.argv.slice(2);
if (args.length === 1 && (args[0] === "--version" || args[0] === "-V")) {
  process.stdout.on("error", ({ code, message }) => {
    if (code === "EPIPE") return;
    process.stderr.write(`haft: CANNOT_WRITE: standard output: ${message}\n`);
    process.exitCode = 1;
  });
  process.stdout.write(`${JSON.parse(readFileSync(join(dist, "../package.json"), "utf8")).version}\n`);
} else if (!existsSync(join(dist, "bundle/haft.cjs"))) {
  process.stderr.write(
    "haft: NOT_BUILT: this copy has not been built\nRun `pnpm build` in its repository.\n",
  );
  process.exitCode = 2;
} else if (process.env.HAFT_DEBUG) {
  // The same code with names, files and lines that can be read in a stack.
  process.setSourceMapsEnabled(true);
  const { pathToFileURL } = require("node:url");
  void import(pathToFileURL(join(dist, "main.js")).href);
} else {
  require("./load-bundle.js").loadBundle(join(dist, "bundle/haft.cjs"));
}
