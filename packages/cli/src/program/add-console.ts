import { type Command, Option } from "commander";
import { option } from "../options.js";
import { type CommandContext, example, withRuntimeOptions } from "./command-context.js";

export function addConsole(program: Command, { io, exitWith }: CommandContext): void {
  withRuntimeOptions(program.command("console"))
    .description("watch, approve and steer runs in the browser")
    .argument("[dirs...]", "further workspaces to show")
    .addOption(option.model())
    .addOption(option.baseUrl())
    .addOption(new Option("--port <number>", "the port to serve on (default: 4938)").argParser(portNumber))
    .addOption(option.store())
    .addOption(option.tenant())
    .addHelpText("after", example("haft console --model gpt-5"))
    .action((folders, choices) =>
      exitWith(import("../commands/console.js").then(({ serve }) => serve({ folders, ...choices }, io))),
    );
}

function portNumber(text: string): number {
  return /^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : Number.NaN;
}
