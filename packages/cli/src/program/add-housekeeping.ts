import type { Command } from "commander";
import { option } from "../options.js";
import { type CommandContext, example } from "./command-context.js";

export function addHousekeeping(program: Command, { io, exitWith }: CommandContext): void {
  program
    .command("init")
    .description("set up a project: configuration and AGENTS.md")
    .addOption(option.workspace())
    .addOption(option.role())
    .addHelpText("after", example("haft init"))
    .action((choices) => exitWith(import("../commands/init.js").then(({ init }) => init(choices, io))));
  program
    .command("doctor")
    .description("check this machine and say what to fix")
    .addOption(option.workspace())
    .addOption(option.config())
    .addOption(option.json())
    .addHelpText("after", example("haft doctor"))
    .action((choices) => exitWith(import("../commands/doctor.js").then(({ doctor }) => doctor(choices, io))));
  addNew(program, { io, exitWith });
}

const KINDS = {
  tool: "scaffold a package with one tool",
  pack: "scaffold a package with two tools, a service and a configuration section",
  role: "write .haft/NAME.json, a role that you then edit",
} as const;

function addNew(program: Command, { io, exitWith }: CommandContext): void {
  const parent = program
    .command("new", { hidden: true })
    .description("scaffold a tool, a pack or a role")
    .addHelpText("after", example("haft new tool word-count"));
  for (const kind of ["tool", "pack", "role"] as const) {
    const command = parent.command(kind).description(KINDS[kind]).argument("<name>", "such as word-count");
    if (kind !== "role")
      command
        .option("--js", "JavaScript without a build (default: TypeScript)")
        .option("--decorator", "a class with @tool (default: defineTool)");
    command
      .addHelpText("after", example(`haft new ${kind} word-count`))
      .action((name, choices) =>
        exitWith(
          import("../commands/new.js").then(({ createNew }) => createNew({ kind, name, ...choices }, io)),
        ),
      );
  }
}
