import { processIo } from "./cli-io.js";
import { reserveStdout } from "./output/reserve-stdout.js";
import { runCli } from "./run-cli.js";

// Whoever reads us may stop early (`haft tools | head -1`); that is no failure.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(process.exitCode ?? 0);
    throw error;
  });
}

// Configurations and packs are other people's code: what they print is no result.
const io = processIo();
// Not awaited at the top, so that this can be bundled as CommonJS. Never rejects.
void runCli(process.argv.slice(2), { ...io, stdout: reserveStdout(io) }).then((code) => {
  process.exitCode = code;
});
