import { processIo } from "./cli-io.js";
import { EXIT } from "./exit-code.js";
import { reserveStdout } from "./output/reserve-stdout.js";
import { watchOutput } from "./output/watch-output.js";
import { runCli } from "./run-cli.js";

// Configurations and packs are other people's code: what they print is no result.
const stdout = reserveStdout(process);
const watch = watchOutput({ stdout, stderr: process.stderr }, () => {
  process.exitCode = EXIT.failed;
});
// Not awaited at the top, so that this can be bundled as CommonJS. Never rejects.
void runCli(process.argv.slice(2), processIo(stdout)).then((code) => {
  process.exitCode = watch.codeFor(code);
});
