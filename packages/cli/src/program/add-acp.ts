import type { Command } from "commander";
import { option } from "../options.js";
import { type CommandContext, example, withModelOptions, withRuntimeOptions } from "./command-context.js";

export function addAcp(program: Command, { io, exitWith }: CommandContext): void {
  const acp = withModelOptions(withRuntimeOptions(program.command("acp")))
    .description("serve the agent to an editor (ACP)")
    .addOption(option.approve())
    .addOption(option.dryRun())
    .addHelpText("after", "\nMore: haft help editors|models|limits")
    .addHelpText("after", example("haft acp install --client zed"))
    .action((choices) => exitWith(import("../commands/acp.js").then(({ acp }) => acp(choices, io))));
  acp
    .command("install", { hidden: true })
    .description("print an editor's configuration")
    .addOption(option.editor())
    .addOption(option.role())
    .addHelpText("after", example("haft acp install --client zed"))
    .action((_choices, command: Command) =>
      exitWith(
        import("../commands/acp-install.js").then(({ acpInstall }) =>
          acpInstall(command.optsWithGlobals(), io),
        ),
      ),
    );
}
