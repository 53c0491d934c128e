import { type Command, Option } from "commander";
import { option } from "../options.js";
import { type CommandContext, example, withRuntimeOptions } from "./command-context.js";

export function addListings(program: Command, { io, exitWith }: CommandContext): void {
  withRuntimeOptions(program.command("tools"))
    .description("list the tools a role sees")
    .addOption(option.json())
    .addHelpText("after", example("haft tools --role reader --json"))
    .action((choices) => exitWith(import("../commands/tools.js").then(({ tools }) => tools(choices, io))));
  withRuntimeOptions(program.command("prompt", { hidden: true }))
    .description("print the system prompt for a role")
    .option("--xml", "mark it up as XML instead of Markdown")
    .addOption(
      new Option(
        "--style <style>",
        "full, or compact for native tool calling (default: full; compact with --stats)",
      ).choices(["full", "compact"]),
    )
    .option("--stats", "print its size instead")
    .addOption(option.noTerminate())
    .addHelpText("after", example("haft prompt --role reader --dialect claude"))
    .action((choices) => exitWith(import("../commands/prompt.js").then(({ prompt }) => prompt(choices, io))));
  withRuntimeOptions(program.command("schema", { hidden: true }))
    .description("print the tools in a provider's format")
    .addOption(option.provider())
    .option("--strict", "OpenAI's strict mode, where a tool's schema allows it")
    .addOption(option.noTerminate())
    .addHelpText("after", example("haft schema --for anthropic --role coder"))
    .action((choices) => exitWith(import("../commands/schema.js").then(({ schema }) => schema(choices, io))));
  const role = program.command("role", { hidden: true }).description("check role files");
  withRuntimeOptions(role.command("check"))
    .description("list what a role can use, and why it cannot use the rest")
    .argument("<role>", "a role file, or the name of a built-in role")
    .addOption(option.json())
    .addHelpText("after", example("haft role check .haft/author.json"))
    .action((name, choices) =>
      exitWith(
        import("../commands/role-check.js").then(({ roleCheck }) =>
          roleCheck({ ...choices, role: name }, io),
        ),
      ),
    );
}
