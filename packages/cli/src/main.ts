import { processIo } from "./cli-io.js";
import { EXIT } from "./exit-code.js";
import { endOnOwnErrors } from "./open/stray-errors.js";
import { endWithTerminal } from "./output/end-with-terminal.js";
import { reportError } from "./output/report-error.js";
import { reserveStdout } from "./output/reserve-stdout.js";
import { watchOutput } from "./output/watch-output.js";
import { runCli } from "./run-cli.js";

// Configurations and packs are third-party code, so their output is redirected to standard error.
const stdout = reserveStdout(process);
const watch = watchOutput({ stdout, stderr: process.stderr }, () => {
  process.exitCode = EXIT.failed;
});
endWithTerminal();
endOnOwnErrors((error) => {
  reportError(error, processIo(stdout));
  process.exit(EXIT.failed);
});
// Top-level await would prevent bundling as CommonJS. runCli never rejects.
void runCli(process.argv.slice(2), processIo(stdout)).then((code) => {
  process.off("beforeExit", reportUnfinished);
  process.off("exit", reportEnded);
  process.exitCode = watch.codeFor(code);
  endWhenWritten();
});
// Node exits silently, with success, if a pending promise can never settle, such as in a configuration that awaits
// forever.
process.on("beforeExit", reportUnfinished);
process.on("exit", reportEnded);

/** A timer or a connection that a pack left open does not keep a finished command from ending. */
function endWhenWritten(): void {
  // Fires only if something else keeps the process alive.
  const leftOver = setTimeout(() => {
    const isWriting = [stdout, process.stdout, process.stderr].some(
      ({ writableLength }) => writableLength > 0,
    );
    if (isWriting) endWhenWritten();
    else process.exit();
  }, 1_000);
  leftOver.unref();
}

/** Whether the event loop has had nothing to do since every listener could let the command go on. */
const eventLoop = { isIdle: false };

function reportUnfinished(): void {
  // Another listener may belong to the import of a pack, which now fails so that the command continues.
  if (!eventLoop.isIdle) {
    setImmediate(() => {
      eventLoop.isIdle = true;
      // Runs only if something else keeps the event loop alive.
      setImmediate(() => {
        eventLoop.isIdle = false;
      }).unref();
    });
    return;
  }
  process.stderr.write(
    "haft: UNFINISHED: the command waits for something that can no longer happen\n" +
      "A configuration or a pack that never finishes does this. Leave it out with --config or --packs to find out.\n",
  );
  process.exitCode = EXIT.failed;
}

/** An unfinished command must not look like one that succeeded. Haft itself ends it only with these codes. */
function reportEnded(code: number): void {
  if (code === EXIT.failed || code === EXIT.interrupted) return;
  process.stderr.write(
    `haft: ENDED: a pack or a configuration ended the process with code ${code}, and the command with it\n` +
      "Set containPacks to true to run packs in processes of their own, or leave them out with --packs to find out which.\n",
  );
  process.exitCode = EXIT.failed;
}
