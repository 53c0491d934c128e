import type { Command } from "commander";
import { option } from "../options.js";
import { example, type Setting } from "./setting.js";

export function addJournal(program: Command, { io, settled }: Setting): void {
  program
    .command("changes")
    .description("list what calls have changed")
    .addOption(option.workspace())
    .addOption(option.forget())
    .addOption(option.json())
    .addHelpText("after", example("haft changes --json"))
    .action((choices) =>
      settled(import("../commands/changes.js").then(({ changes }) => changes(choices, io))),
    );
  program
    .command("undo")
    .description("take back the last call, or a given one")
    .argument("[call-id]", "as `haft changes` lists it")
    .addOption(option.workspace())
    .addOption(option.json())
    .addHelpText("after", example("haft undo"))
    .action((callId, choices) =>
      settled(import("../commands/undo.js").then(({ undo }) => undo({ callId, ...choices }, io))),
    );
}
