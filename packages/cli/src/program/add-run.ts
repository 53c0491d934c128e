import type { Command } from "commander";
import { option } from "../options.js";
import { type CommandContext, example, withModelOptions, withRuntimeOptions } from "./command-context.js";

export function addRun(program: Command, { io, exitWith }: CommandContext): void {
  const run = withRuntimeOptions(program.command("run"))
    .addOption(option.continue())
    .addOption(option.once());
  withModelOptions(run)
    .description("work on a task with a model; - reads stdin")
    .argument("[task]")
    .addOption(option.resume())
    .addOption(option.approve())
    .addOption(option.dryRun())
    .addOption(option.jsonLines())
    .addHelpText("after", "\nMore options: haft help models|limits")
    .addHelpText("after", example('haft run "fix the failing test" --model gpt-5'))
    .action((task, choices) =>
      exitWith(import("../commands/run.js").then(({ run }) => run({ task, ...choices }, io))),
    );
  const runs = program
    .command("runs")
    .description("list the sessions of this workspace")
    .addOption(option.workspace())
    .addOption(option.json())
    .addHelpText("after", example("haft runs show last"))
    .action((choices) => exitWith(import("../commands/runs.js").then(({ runs }) => runs(choices, io))));
  runs
    .command("show")
    .description("print one session")
    .argument("[id]", "its id, the beginning of it, or last", "last")
    .addHelpText("after", example("haft runs show last"))
    .action((id) =>
      exitWith(import("../commands/runs.js").then(({ showRun }) => showRun(id, runs.opts(), io))),
    );
}
