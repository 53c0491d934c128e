import type { Command } from "commander";
import { option } from "../options.js";
import { example, type Setting, withRuntimeOptions } from "./setting.js";

export function addListings(program: Command, { io, settled }: Setting): void {
  withRuntimeOptions(program.command("tools"))
    .description("list the tools a role sees")
    .addOption(option.json())
    .addHelpText("after", example("haft tools --role reader --json"))
    .action((choices) => settled(import("../commands/tools.js").then(({ tools }) => tools(choices, io))));
  withRuntimeOptions(program.command("prompt"))
    .description("print the system prompt for a role")
    .option("--xml", "mark it up as XML instead of Markdown")
    .option("--stats", "print its size instead")
    .addOption(option.noTerminate())
    .addHelpText("after", example("haft prompt --role reader --dialect claude"))
    .action((choices) => settled(import("../commands/prompt.js").then(({ prompt }) => prompt(choices, io))));
  withRuntimeOptions(program.command("schema"))
    .description("print the tools in a provider's format")
    .addOption(option.provider())
    .option("--strict", "OpenAI's strict mode, where a tool's schema allows it")
    .addOption(option.noTerminate())
    .addHelpText("after", example("haft schema --for anthropic --role coder"))
    .action((choices) => settled(import("../commands/schema.js").then(({ schema }) => schema(choices, io))));
}
