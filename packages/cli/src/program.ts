import { renderForHuman } from "@haft/text";
import { Command, Help, Option } from "commander";
import { lineColumns } from "./ask/terminal-size.js";
import type { CliIo } from "./cli-io.js";
import type { ExitCode } from "./exit-code.js";
import { ownVersion } from "./own-version.js";
import { addAcp } from "./program/add-acp.js";
import { addCalls } from "./program/add-calls.js";
import { addConsole } from "./program/add-console.js";
import { addHousekeeping } from "./program/add-housekeeping.js";
import { addJournal } from "./program/add-journal.js";
import { addListings } from "./program/add-listings.js";
import { addPolicy } from "./program/add-policy.js";
import { addRun } from "./program/add-run.js";
import { addTeam } from "./program/add-team.js";
import { addTopics, COMPLETE } from "./program/add-topics.js";
import { type CommandContext, example } from "./program/command-context.js";
import { withAdvice } from "./program/usage-advice.js";
import { wrappedLines } from "./run/styled-rows.js";

/**
 * Declares the command line. Each command's implementation is imported when it runs. Building every command takes
 * longer than parsing the line, so a known first word builds only the part it belongs to.
 */
export function createProgram(io: CliIo, setExitCode: (code: ExitCode) => void, firstWord?: string): Command {
  const program: Command = new Command("haft")
    .description("The handle between an agent and its tools.")
    .version(ownVersion(), "-V, --version", "print the version")
    .addHelpText("after", () => moreCommands(program))
    .addHelpText("after", example('haft call read_file \'{"path": "README.md"}\''));
  program.configureHelp({ showGlobalOptions: false, formatItem });
  // The top-level help lists every command and has no room for options everyone knows.
  for (const known of program.options) known.hideHelp();
  const context: CommandContext = { io, exitWith: (run) => run.then(setExitCode) };
  for (const { add } of partsFor(firstWord)) add(program, context);
  for (const command of [program, ...allCommands(program)]) configure(command, io);
  return program;
}

interface ProgramPart {
  /** The commands this part adds, in help order. */
  readonly commands: readonly string[];
  add(program: Command, context: CommandContext): void;
}

const PARTS: readonly ProgramPart[] = [
  { commands: ["run", "runs"], add: addRun },
  { commands: ["tools", "prompt", "schema", "role"], add: addListings },
  { commands: ["call", "mcp"], add: addCalls },
  { commands: ["acp"], add: addAcp },
  { commands: ["policy", "trust"], add: addPolicy },
  { commands: ["changes", "audit", "undo"], add: addJournal },
  { commands: ["init", "doctor", "new"], add: addHousekeeping },
  { commands: ["console"], add: addConsole },
  { commands: ["store", "worker"], add: addTeam },
  { commands: ["help", "completions", COMPLETE], add: addTopics },
];

function partsFor(firstWord: string | undefined): readonly ProgramPart[] {
  if (firstWord === "help" || firstWord === "completions" || firstWord === COMPLETE) return PARTS;
  const wanted = PARTS.filter(({ commands }) => firstWord !== undefined && commands.includes(firstWord));
  return wanted.length === 0 ? PARTS : wanted;
}

/** Lists the commands that have no row of their own in the help. */
function moreCommands(program: Command): string {
  const shown = program.createHelp().visibleCommands(program);
  const names = program.commands
    .filter((command) => !shown.includes(command) && command.name() !== COMPLETE)
    .map((command) => command.name());
  return names.length === 0 ? "" : `\nMore: ${names.join(", ")}`;
}

function configure(command: Command, io: CliIo): void {
  command
    .exitOverride()
    .addHelpOption(helpOption(command))
    .helpCommand(false)
    .showSuggestionAfterError(false)
    .showHelpAfterError(`${wholeName(command)} --help shows the usage.`)
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      outputError: (text, write) =>
        write(renderForHuman(withAdvice(text, command)).replace(/^error:/, "haft: USAGE:")),
      getOutHelpWidth: () => helpColumns(io.stdout),
      getErrHelpWidth: () => helpColumns(io.stderr),
    });
}

/** Puts a description below its term if the terminal is too narrow for both on one line. */
function formatItem(term: string, termWidth: number, description: string, helper: Help): string {
  const { helpWidth = 80 } = helper;
  if (description === "" || helpWidth >= 80)
    return Help.prototype.formatItem.call(helper, term, termWidth, description, helper);
  // Lets a list of values break between two of them.
  const breakable = description.replaceAll("|", " | ");
  return `  ${term}\n${wrappedLines(`      ${breakable}`, helpWidth).join("\n")}`;
}

/** Help is written for 80 columns; a narrower terminal wraps it between words. */
function helpColumns(stream: CliIo["stdout"]): number {
  return Math.min(80, lineColumns(stream));
}

function helpOption(command: Command): Option {
  return new Option("-h, --help", "show help").hideHelp(command.parent === null);
}

function wholeName(command: Command): string {
  return command.parent === null ? command.name() : `${wholeName(command.parent)} ${command.name()}`;
}

function allCommands(command: Command): readonly Command[] {
  return command.commands.flatMap((below) => [below, ...allCommands(below)]);
}
