import { nearestNames } from "@haft/text";
import type { Command } from "commander";
import { choicesOf } from "../options.js";
import { COMPLETE } from "./add-topics.js";

/** Rewrites commander's error about a command line: names an unknown word, and the nearest one to it. */
export function withAdvice(error: string, command: Command): string {
  const [message = "", ...rest] = error.trimEnd().split("\n");
  const unknown = unknownWord(message, command);
  const values = unknown === undefined ? missingValues(message, command) : [];
  if (values.length > 0) return `${[message, `Allowed: ${values.join(", ")}.`, ...rest].join("\n")}\n`;
  if (unknown === undefined) return error;
  const [nearest] = nearestNames(unknown.word, unknown.known, 1);
  const advice = nearest === undefined ? taskAdvice(unknown) : [`(Did you mean ${nearest}?)`];
  return `${[`error: unknown ${unknown.what} '${unknown.word}'`, ...advice, ...rest].join("\n")}\n`;
}

interface UnknownWord {
  readonly what: "command" | "option";
  readonly word: string;
  readonly known: readonly string[];
}

function unknownWord(message: string, command: Command): UnknownWord | undefined {
  const option = /^error: unknown option '(.*)'$/s.exec(message)?.[1] ?? hiddenOption(message, command);
  if (option !== undefined) return { what: "option", word: option, known: optionsFor(option, command) };
  const known = command.commands.map((below) => below.name()).filter((name) => name !== COMPLETE);
  const word = /^error: unknown command '(.*)'$/s.exec(message)?.[1] ?? excessWord(message, command);
  return word === undefined ? undefined : { what: "command", word, known };
}

/** Commands are single words, so several words are a task. */
function taskAdvice({ what, word }: UnknownWord): readonly string[] {
  return what === "command" && /\s/.test(word.trim()) ? ['(To give a model a task: haft run "TASK")'] : [];
}

/** Returns the values that a missing option can have. */
function missingValues(message: string, { options }: Command): readonly string[] {
  const flags = /^error: required option '(.*)' not specified$/.exec(message)?.[1];
  const missing = options.find((option) => option.flags === flags);
  return missing === undefined ? [] : choicesOf(missing);
}

/** Commander reports a missing option first, even if it was only misspelt. */
function hiddenOption(message: string, { args }: Command): string | undefined {
  if (!message.startsWith("error: required option")) return undefined;
  return args.find((arg) => arg.startsWith("--"))?.split("=")[0];
}

/** A command that also runs without a subcommand takes a misspelt one for an argument. */
function excessWord(message: string, command: Command): string | undefined {
  return command.commands.length > 0 && message.startsWith("error: too many arguments")
    ? command.args[0]
    : undefined;
}

/** The long options of a command and its parents. SECURITY: `--token` never suggests its opposite, `--no-token`. */
function optionsFor(word: string, command: Command | null): readonly string[] {
  if (command === null) return [];
  const own = command.options.flatMap(({ long, negate }) =>
    long === undefined || (negate && !word.startsWith("--no-")) ? [] : [long],
  );
  return [...own, "--help", ...optionsFor(word, command.parent)];
}
