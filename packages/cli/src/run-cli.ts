import { CommanderError } from "commander";
import { type CliIo, isInteractive } from "./cli-io.js";
import { EXIT, type ExitCode } from "./exit-code.js";
import { reportError } from "./output/report-error.js";
import { createProgram } from "./program.js";

/** Runs one command line and returns its exit code. Never rejects. */
export async function runCli(args: readonly string[], io: CliIo): Promise<ExitCode> {
  let exitCode: ExitCode = EXIT.ok;
  const setExitCode = (code: ExitCode) => {
    exitCode = code;
  };
  try {
    const words = startsWithRunOption(args, io) ? ["run", ...args] : args;
    const program = createProgram(io, setExitCode, words[0]);
    if (words.length > 0) await program.parseAsync(words, { from: "user" });
    else if (isInteractive(io) && io.stderr.isTTY === true && io.stdout.isTTY === true)
      await program.parseAsync(["run"], { from: "user" });
    else program.outputHelp();
    return exitCode;
  } catch (error) {
    // Commander has already printed the error, or the help that was requested.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    return reportError(error, io);
  }
}

/** `haft --model qwen3` opens a session, like `haft` alone. A command after the options is not its task. */
function startsWithRunOption(args: readonly string[], io: CliIo): boolean {
  const [first = ""] = args;
  if (!first.startsWith("--")) return false;
  const { commands } = createProgram(io, () => {});
  const run = commands.find((command) => command.name() === "run");
  if (run?.options.some(({ long }) => long === first.split("=")[0]) !== true) return false;
  const [operand] = run.parseOptions([...args]).operands;
  return !commands.some((command) => command.name() === operand);
}
