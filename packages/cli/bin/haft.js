#!/usr/bin/env node
// Starting is the commonest thing a command does, so nothing is imported for what needs nothing.
import { existsSync, readFileSync } from "node:fs";

const args = process.argv.slice(2);
if (args.length === 1 && (args[0] === "--version" || args[0] === "-V")) {
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  process.stdout.write(`${version}\n`);
} else {
  const main = new URL("../dist/main.js", import.meta.url);
  if (existsSync(main)) {
    await import(main.href);
  } else {
    process.stderr.write(
      "haft: NOT_BUILT: this copy has not been built\nRun `pnpm build` in its repository.\n",
    );
    process.exitCode = 2;
  }
}
