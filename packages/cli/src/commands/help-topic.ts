import { nearestNames } from "@haft/text";
import type { Command } from "commander";
import { lineColumns } from "../ask/terminal-size.js";
import type { CliIo } from "../cli-io.js";
import { EXIT, type ExitCode } from "../exit-code.js";
import { TOPICS } from "../help/topics.js";
import { wrappedLines } from "../run/styled-rows.js";
import { UsageError } from "../usage-error.js";

/** Prints a topic or the help of a command. Without a name, lists the topics. */
export function helpTopic(name: string | undefined, program: Command, io: CliIo): ExitCode {
  if (name === undefined) {
    io.stdout.write(`${listing()}\n`);
    return EXIT.ok;
  }
  const topic = TOPICS[name];
  const command = program.commands.find((one) => one.name() === name);
  if (topic !== undefined)
    io.stdout.write(`${wrappedLines(topic.text.trim(), lineColumns(io.stdout)).join("\n")}\n`);
  else if (command !== undefined) command.outputHelp();
  else throw unknown(name, program);
  return EXIT.ok;
}

function listing(): string {
  const rows = Object.entries(TOPICS).map(([name, { what }]) => `  ${name.padEnd(14)}${what}`);
  return ["Topics:", ...rows, "", "Example:", "  haft help models"].join("\n");
}

function unknown(name: string, program: Command): UsageError {
  const names = [...Object.keys(TOPICS), ...program.commands.map((one) => one.name())];
  const [nearest] = nearestNames(name, names, 1);
  const hint = nearest === undefined ? "haft help lists the topics." : `Did you mean haft help ${nearest}?`;
  return new UsageError("USAGE", `No help topic ${JSON.stringify(name.slice(0, 60))}`, hint);
}
