import type { Command } from "commander";
import { option } from "../options.js";
import { example, type Setting } from "./setting.js";

export function addHousekeeping(program: Command, { io, settled }: Setting): void {
  program
    .command("doctor")
    .description("what this machine offers, and how to fix it")
    .addOption(option.workspace())
    .addOption(option.config())
    .addOption(option.json())
    .addHelpText("after", example("haft doctor"))
    .action((choices) => settled(import("../commands/doctor.js").then(({ doctor }) => doctor(choices, io))));
  program
    .command("new")
    .description("start something new")
    .addHelpText("after", example("haft new tool word-count"))
    .command("tool")
    .description("scaffold a tool pack in a new folder")
    .argument("<name>", "such as word-count")
    .addHelpText("after", example("haft new tool word-count"))
    .action((name) => settled(import("../commands/new-tool.js").then(({ newTool }) => newTool(name, io))));
}
