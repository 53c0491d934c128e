import type { Command } from "commander";
import { option } from "../options.js";
import { example, type Setting, withRuntimeOptions } from "./setting.js";

export function addRun(program: Command, { io, settled }: Setting): void {
  withRuntimeOptions(program.command("run"))
    .description("let a model work on a task, with these tools")
    .argument("[task]", "what is to be done, in words")
    .addOption(option.model())
    .addOption(option.baseUrl())
    .addOption(option.maxSteps())
    .addOption(option.resume())
    .addOption(option.approve())
    .addOption(option.dryRun())
    .addOption(option.jsonLines())
    .addHelpText("after", example('haft run "fix the failing test" --model gpt-5'))
    .action((task, choices) =>
      settled(import("../commands/run.js").then(({ run }) => run({ task, ...choices }, io))),
    );
}
