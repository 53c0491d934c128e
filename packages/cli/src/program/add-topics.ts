import type { Command } from "commander";
import { choice } from "../options.js";
import { type CommandContext, example } from "./command-context.js";

/** Adds the commands that need to know all other commands. */
export function addTopics(program: Command, { io, exitWith }: CommandContext): void {
  program
    .command("help")
    .description("explain a topic or a command")
    .argument("[topic]", "haft help lists them")
    .addHelpText("after", example("haft help models"))
    .action((topic) =>
      exitWith(import("../commands/help-topic.js").then(({ helpTopic }) => helpTopic(topic, program, io))),
    );
  program
    .command("completions", { hidden: true })
    .description("print a completion script for a shell")
    .argument("<shell>", "bash, zsh or fish", shell.parseArg)
    .addHelpText("after", example("haft completions bash"))
    .action((name) =>
      exitWith(import("../commands/completions.js").then(({ completions }) => completions(name, io))),
    );
  program
    .command(COMPLETE, { hidden: true })
    .argument("[words...]", "the words of the command line; the last one is being typed")
    .allowUnknownOption()
    .action((words) =>
      exitWith(import("../commands/complete.js").then(({ complete }) => complete(words, program, io))),
    );
}

/** Called by completion scripts only. */
export const COMPLETE = "__complete";

const shell = choice("--shell <name>", "shell", ["bash", "zsh", "fish"]);
