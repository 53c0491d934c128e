import type { CommandFacts, SimpleCommand } from "@haft/core/policy";
import type { PlannedCommand } from "../command-policy/command-plan.js";
import { parseCommand } from "../command-policy/parse-command.js";
import { rememberLatest } from "../command-policy/remember-latest.js";
import { startedCommands } from "./started-commands.js";
import { textsInVariable } from "./texts-for-shells.js";

/**
 * Describes a command line to rules and policies: every simple command, including those behind wrappers, in
 * substitutions and in text for a shell. An unknown word could be any word, so a denial still applies to it.
 * Variables set for a command can change what it does, so no rule allows it then.
 */
export function commandFacts(command: string | readonly string[], env: Environment = {}): CommandFacts {
  const { commands, isComplete } = foundIn(command);
  return {
    text: typeof command === "string" ? command : command.join(" "),
    commands: commands.map(({ isSpelling: _, ...found }) => found),
    isComplete: isComplete && Object.keys(env).length === 0,
  };
}

/** Returns the commands that a line runs as written, without other spellings, which are for rules that restrict. */
export function commandsRunBy(command: string | readonly string[]): readonly SimpleCommand[] {
  return foundIn(command).commands.filter(({ isSpelling }) => isSpelling !== true);
}

type Environment = Readonly<Record<string, string>>;
type FoundCommand = SimpleCommand & { readonly isSpelling?: true };
type Found = { readonly commands: readonly FoundCommand[]; readonly isComplete: boolean };
type Argv = SimpleCommand["argv"];

function foundIn(command: string | readonly string[]): Found {
  return typeof command === "string"
    ? commandsInLine(command)
    : { commands: withInner(command, 0), isComplete: true };
}

const commandsInLine = rememberLatest((text) => commandsIn(text, 0));

function commandsIn(text: string, depth: number): Found {
  const parsed = depth > MAX_DEPTH ? undefined : parseCommand(text);
  if (parsed === undefined || parsed.kind === "refused") return NOT_UNDERSTOOD;
  const planned =
    parsed.kind === "plan" ? parsed.plan.steps.flatMap((step) => step.commands) : parsed.fragments;
  const isComplete = parsed.kind === "plan" && planned.every(({ assignments }) => assignments.length === 0);
  return { commands: planned.flatMap((command) => withVariables(command, depth)), isComplete };
}

const MAX_DEPTH = 5;
const NOT_UNDERSTOOD: Found = { commands: [{ argv: [null] }], isComplete: false };

/** The expansion of a glob depends on files; "…" stands for an expansion. */
function wordsOf({ words }: PlannedCommand): Argv {
  return words.map((word) => (word.kind === "glob" || word.value === "…" ? null : word.value));
}

function withVariables(command: PlannedCommand, depth: number): readonly FoundCommand[] {
  const texts = [...command.assignments, ...(command.variables ?? [])].flatMap(textsInVariable);
  const run = texts.flatMap((text) => inText(text, depth)).map((each) => ({ ...each, isWrapped: true }));
  return [...withInner(wordsOf(command), depth), ...run];
}

function withInner(argv: Argv, depth: number): readonly FoundCommand[] {
  const { commands, spellings, texts } = startedCommands(argv);
  const inner: readonly FoundCommand[] = [
    ...commands.map((started) => ({ argv: started })),
    ...spellings.map((spelling) => ({ argv: spelling, isSpelling: true as const })),
    ...texts.flatMap((text) => inText(text, depth)),
  ];
  return [{ argv }, ...inner.map((command) => ({ ...command, isWrapped: true }))];
}

function inText(text: string | null, depth: number): readonly FoundCommand[] {
  return text === null ? NOT_UNDERSTOOD.commands : commandsIn(text, depth + 1).commands;
}
