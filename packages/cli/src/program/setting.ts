import type { Command } from "commander";
import type { CliIo } from "../cli-io.js";
import type { ExitCode } from "../exit-code.js";
import { option } from "../options.js";

/** What every command is added with. */
export interface Setting {
  readonly io: CliIo;
  /** Takes the exit code of a command that runs. */
  settled(run: Promise<ExitCode>): Promise<void>;
}

export function withRuntimeOptions(command: Command): Command {
  return command
    .addOption(option.workspace())
    .addOption(option.role())
    .addOption(option.dialect())
    .addOption(option.config())
    .addOption(option.packs());
}

export function example(command: string): string {
  return `\nExample:\n  ${command}`;
}
