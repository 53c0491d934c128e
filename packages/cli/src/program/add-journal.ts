import type { Command } from "commander";
import { option } from "../options.js";
import { type CommandContext, example } from "./command-context.js";

export function addJournal(program: Command, { io, exitWith }: CommandContext): void {
  program
    .command("changes")
    .description("list the changes that calls made")
    .addOption(option.workspace())
    .addOption(option.forget())
    .addOption(option.json())
    .addHelpText("after", example("haft changes --json"))
    .action((choices) =>
      exitWith(import("../commands/changes.js").then(({ changes }) => changes(choices, io))),
    );
  program
    .command("audit", { hidden: true })
    .description("list who decided what, when and how")
    .addOption(option.workspace())
    .addOption(option.exportLines())
    .addOption(option.verify().conflicts("export"))
    .addOption(option.store())
    .addOption(option.tenant())
    .addOption(option.json())
    .addHelpText("after", example("haft audit --verify"))
    .action((choices) => exitWith(import("../commands/audit.js").then(({ audit }) => audit(choices, io))));
  program
    .command("undo")
    .description("undo the last call, or a given one")
    .argument("[call-id]", "as `haft changes` lists it")
    .addOption(option.run())
    .addOption(option.dryRun())
    .addOption(option.workspace())
    .addOption(option.json())
    .addHelpText("after", example("haft undo"))
    .action((callId, choices) =>
      exitWith(import("../commands/undo.js").then(({ undo }) => undo({ callId, ...choices }, io))),
    );
}
