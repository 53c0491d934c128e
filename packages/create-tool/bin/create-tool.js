#!/usr/bin/env node
import { createFromArguments } from "../dist/index.js";

process.exitCode = await createFromArguments(process.argv.slice(2), {
  cwd: process.cwd(),
  print: (text) => process.stderr.write(`${text}\n`),
});
