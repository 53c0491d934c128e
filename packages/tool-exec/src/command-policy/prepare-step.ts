import {
  argvOf,
  literalWord,
  type PlannedCommand,
  type PlannedRedirection,
  type PlannedStep,
} from "./command-plan.js";
import type { CommandPolicy } from "./command-policy.js";
import { type CommandDecision, decidePlan } from "./decide-command.js";
import { expandWord, type ListDirectory } from "./expand-word.js";
import { hardenArgv } from "./harden-argv.js";

export interface StepHost {
  readonly policy: CommandPolicy;
  /** The directory of the step, relative to the workspace root. */
  readonly cwd: string;
  readonly list: ListDirectory;
}

/** A step with its final arguments. It may run only if this second decision allows it (or a person approved it). */
export interface PreparedStep {
  readonly decision: CommandDecision;
  readonly commands: readonly PreparedCommand[];
}

export interface PreparedCommand {
  /** The runner executes `cd` itself, and `xargs` too, see planXargs; everything else is spawned unchanged. */
  readonly kind: "spawn" | "cd" | "xargs";
  readonly argv: readonly string[];
  /** Added to the scrubbed environment. */
  readonly environment: Readonly<Record<string, string>>;
  readonly redirections: readonly PlannedRedirection[];
}

/** Expands globs in the directory of the step, judges the result again, and hardens the arguments. */
export async function prepareStep(step: PlannedStep, host: StepHost): Promise<PreparedStep> {
  const commands = await Promise.all(step.commands.map((command) => expandCommand(command, host.list)));
  const text = commands.map((command) => command.text).join(" | ");
  const decision = decidePlan({ text, steps: [{ ...step, joiner: ";", commands }] }, host.policy, host.cwd);
  return { decision, commands: commands.map(prepareCommand) };
}

async function expandCommand(command: PlannedCommand, list: ListDirectory): Promise<PlannedCommand> {
  const expanded = await Promise.all(command.words.map((word) => expandWord(word, list)));
  return { ...command, words: expanded.flat().map(literalWord) };
}

function prepareCommand(command: PlannedCommand): PreparedCommand {
  const argv = argvOf(command);
  const assigned = Object.fromEntries(command.assignments.map(({ name, value }) => [name, value]));
  const hardened = hardenArgv(argv);
  return {
    kind: argv[0] === "cd" ? "cd" : argv[0] === "xargs" ? "xargs" : "spawn",
    argv: hardened.argv,
    environment: { ...assigned, ...hardened.environment },
    redirections: command.redirections,
  };
}
