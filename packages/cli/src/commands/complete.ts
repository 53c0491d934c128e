import type { Command, Option } from "commander";
import type { CliIo } from "../cli-io.js";
import { readWords, type TypedLine } from "../completion/read-words.js";
import { type Candidate, FILES, SOURCES, type Source } from "../completion/sources.js";
import { EXIT, type ExitCode } from "../exit-code.js";
import { choicesOf } from "../options.js";

/** Prints the candidates for the word being typed, one per line. Never fails; prints nothing on error. */
export async function complete(words: readonly string[], program: Command, io: CliIo): Promise<ExitCode> {
  const line = readWords(words, program);
  const candidates = await candidatesFor(line, io).catch(() => []);
  const fitting = candidates.filter(({ value }) => value === FILES || value.startsWith(line.typed));
  const rows = fitting.map(({ value, what }) => (value === FILES ? FILES : row(line.prefix + value, what)));
  io.stdout.write(rows.map((one) => `${one}\n`).join(""));
  return EXIT.ok;
}

function row(value: string, what: string | undefined): string {
  return what === undefined || what === "" ? value : `${value}\t${what.split("\n", 1)[0]}`;
}

async function candidatesFor(line: TypedLine, io: CliIo): Promise<readonly Candidate[]> {
  const { command, option, typed } = line;
  if (option !== undefined) return valuesOf(option, line, io);
  if (typed.startsWith("-")) return optionsOf(line);
  const below = command.createHelp().visibleCommands(command).concat(hiddenOf(command));
  const named = below.map((one) => ({ value: one.name(), what: one.description() }));
  return line.isPositional ? positionalsOf(line, io) : [...named, ...(await positionalsOf(line, io))];
}

/** Returns commands that the help leaves out; they can still be typed. */
function hiddenOf(command: Command): readonly Command[] {
  const shown = command.createHelp().visibleCommands(command);
  return command.commands.filter((one) => !shown.includes(one) && !one.name().startsWith("_"));
}

/** Includes options hidden from the help; excludes options already on the line. */
function optionsOf({ command, given }: TypedLine): readonly Candidate[] {
  return [...command.options, ...(command.parent === null ? [] : [HELP])].flatMap(({ long, description }) =>
    long === undefined || long === null || given.has(long) ? [] : [{ value: long, what: description }],
  );
}

const HELP = { long: "--help", description: "show help" };

async function valuesOf(option: Option, line: TypedLine, io: CliIo): Promise<readonly Candidate[]> {
  const choices = choicesOf(option);
  if (choices.length > 0) return choices.map((value) => ({ value }));
  const source = OPTION_VALUES[option.attributeName()];
  return source === undefined ? [] : SOURCES[source](line, io);
}

const OPTION_VALUES: Readonly<Record<string, Source>> = {
  role: "roles",
  run: "runs",
  continue: "runs",
  resume: "runs",
  workspace: "files",
  root: "files",
  config: "files",
  packs: "files",
};

async function positionalsOf(line: TypedLine, io: CliIo): Promise<readonly Candidate[]> {
  const source = POSITIONALS[line.path]?.[line.positionals];
  return source === undefined ? [] : SOURCES[source](line, io);
}

/** The source of each positional argument, by command. */
const POSITIONALS: Readonly<Record<string, readonly Source[]>> = {
  call: ["tools"],
  "policy explain": ["tools"],
  "policy revoke": ["grants"],
  "runs show": ["runs"],
  "role check": ["roles"],
  undo: ["changes"],
  help: ["topics"],
  completions: ["shells"],
  console: ["files"],
};
