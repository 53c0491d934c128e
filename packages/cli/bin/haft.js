#!/usr/bin/env node
// Start-up time matters most for a command: --version reads no files, and everything else loads a few files with cached
// bytecode. CommonJS, because Node 20 accepts cached bytecode for nothing else.
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
  // Unbundled code with readable names, files and lines in stack traces.
  process.setSourceMapsEnabled(true);
  const { pathToFileURL } = require("node:url");
  void import(pathToFileURL(join(dist, "main.js")).href);
} else {
  require("./load-bundle.js").loadBundle(join(dist, "bundle/haft.cjs"));
}
