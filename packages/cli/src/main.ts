import { processIo } from "./cli-io.js";
import { runCli } from "./run-cli.js";

// Whoever reads us may stop early (`haft tools | head -1`); that is no failure.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(process.exitCode ?? 0);
    throw error;
  });
}

process.exitCode = await runCli(process.argv.slice(2), processIo());
