import { Command } from "commander";
import type { CliIo } from "./cli-io.js";
import type { ExitCode } from "./exit-code.js";
import { ownVersion } from "./own-version.js";
import { addAnnounced } from "./program/add-announced.js";
import { addCalls } from "./program/add-calls.js";
import { addHousekeeping } from "./program/add-housekeeping.js";
import { addJournal } from "./program/add-journal.js";
import { addListings } from "./program/add-listings.js";
import { addPolicy } from "./program/add-policy.js";
import { addRun } from "./program/add-run.js";
import { example, type Setting } from "./program/setting.js";

/**
 * The command line as data. What a command does is imported when it is run. Building all of them takes longer than
 * reading a command line, so where the first word is known only what it needs is built.
 */
export function createProgram(io: CliIo, setExitCode: (code: ExitCode) => void, firstWord?: string): Command {
  const program = new Command("haft")
    .description("The handle between an agent and its tools.")
    .version(ownVersion(), "-V, --version", "print the version")
    .addHelpText("after", example('haft call read_file \'{"path": "README.md"}\''));
  program.configureHelp({ showGlobalOptions: false, helpWidth: 80 });
  const setting: Setting = { io, settled: (run) => run.then(setExitCode) };
  for (const { add } of partsFor(firstWord)) add(program, setting);
  for (const command of [program, ...allCommands(program)]) configure(command, io);
  return program;
}

interface ProgramPart {
  /** The commands it adds, in the order of the help. */
  readonly commands: readonly string[];
  add(program: Command, setting: Setting): void;
}

const PARTS: readonly ProgramPart[] = [
  { commands: ["run"], add: addRun },
  { commands: ["tools", "prompt", "schema"], add: addListings },
  { commands: ["call", "mcp"], add: addCalls },
  { commands: ["policy"], add: addPolicy },
  { commands: ["changes", "undo"], add: addJournal },
  { commands: ["doctor", "new"], add: addHousekeeping },
  { commands: ["console"], add: addAnnounced },
];

function partsFor(firstWord: string | undefined): readonly ProgramPart[] {
  const wanted = PARTS.filter(({ commands }) => firstWord !== undefined && commands.includes(firstWord));
  return wanted.length === 0 ? PARTS : wanted;
}

function configure(command: Command, io: CliIo): void {
  command
    .exitOverride()
    .helpOption("-h, --help", "show help")
    .helpCommand(false)
    .showSuggestionAfterError()
    .showHelpAfterError(`${wholeName(command)} --help shows how it is used.`)
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      outputError: (text, write) => write(text.replace(/^error:/, "haft: USAGE:")),
      getOutHelpWidth: () => 80,
      getErrHelpWidth: () => 80,
    });
}

function wholeName(command: Command): string {
  return command.parent === null ? command.name() : `${wholeName(command.parent)} ${command.name()}`;
}

function allCommands(command: Command): readonly Command[] {
  return command.commands.flatMap((below) => [below, ...allCommands(below)]);
}
