import { CommanderError } from "commander";
import type { CliIo } from "./cli-io.js";
import { EXIT, type ExitCode } from "./exit-code.js";
import { reportError } from "./output/report-error.js";
import { createProgram } from "./program.js";

/** Runs one command line and says with which code to exit. Never rejects. */
export async function runCli(args: readonly string[], io: CliIo): Promise<ExitCode> {
  let exitCode: ExitCode = EXIT.ok;
  const setExitCode = (code: ExitCode) => {
    exitCode = code;
  };
  const program = createProgram(io, setExitCode, args[0]);
  try {
    if (args.length === 0) program.outputHelp();
    else await program.parseAsync(args, { from: "user" });
    return exitCode;
  } catch (error) {
    // Commander has already said what is wrong, or shown the help that was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    return reportError(error, io);
  }
}
