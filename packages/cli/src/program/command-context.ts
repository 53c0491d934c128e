import type { AddHelpTextContext, Command } from "commander";
import type { CliIo } from "../cli-io.js";
import type { ExitCode } from "../exit-code.js";
import { option } from "../options.js";

/** Passed to every function that adds commands. */
export interface CommandContext {
  readonly io: CliIo;
  /** Sets the exit code when a command finishes. */
  exitWith(run: Promise<ExitCode>): Promise<void>;
}

export function withRuntimeOptions(command: Command): Command {
  return command
    .addOption(option.workspace())
    .addOption(option.role())
    .addOption(option.dialect())
    .addOption(option.config())
    .addOption(option.packs());
}

/** Adds the options that choose a model and limit a run. */
export function withModelOptions(command: Command): Command {
  return command
    .addOption(option.model())
    .addOption(option.baseUrl())
    .addOption(option.effort())
    .addOption(option.contextTokens())
    .addOption(option.maxSteps())
    .addOption(option.maxMinutes())
    .addOption(option.maxTokens())
    .addOption(option.maxCost())
    .addOption(option.retryMinutes());
}

/** Makes the example of a help text. On a narrow terminal it continues on the next row, as a shell reads it. */
export function example(line: string): (context: AddHelpTextContext) => string {
  return ({ command }) => {
    const width = command.configureOutput().getOutHelpWidth?.() ?? 80;
    const shown = line.length + 2 <= width ? line : line.replaceAll(" --", " \\\n    --");
    return `\nExample:\n  ${shown}`;
  };
}
