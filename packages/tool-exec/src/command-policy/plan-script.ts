import type { AndOr, Command, ParsedScript, Pipeline, PipelineNode, Statement, Word } from "unbash";
import type {
  CommandPlan,
  EnvironmentAssignment,
  Joiner,
  PlannedCommand,
  PlannedRedirection,
  PlannedStep,
  PlannedWord,
} from "./command-plan.js";
import { readRedirection } from "./read-redirection.js";
import { readWord } from "./read-word.js";

type PlannedScript = { readonly plan: CommandPlan } | UnsupportedConstruct;

interface UnsupportedConstruct {
  readonly construct: string;
  readonly offending: string;
  readonly suggestion?: string;
}

/** Converts the subset that needs no shell to a plan. Reports anything else with the command that contains it. */
export function planScript(script: ParsedScript, text: string): PlannedScript {
  try {
    return { plan: { text, steps: script.commands.flatMap((statement) => planStatement(statement, text)) } };
  } catch (signal) {
    if (signal instanceof Unsupported) return signal.construct;
    throw signal;
  }
}

class Unsupported extends Error {
  constructor(readonly construct: UnsupportedConstruct) {
    super(construct.construct);
  }
}

function planStatement(statement: Statement, text: string): PlannedStep[] {
  if (statement.background) {
    refuse(statement, text, { construct: "a background job (&)", suggestion: "background: true" });
  }
  if (statement.command.type !== "AndOr") return [planPipeline(statement.command, ";", text)];
  return planAndOr(statement.command, text);
}

function planAndOr(list: AndOr, text: string): PlannedStep[] {
  return list.commands.map((command, index) => {
    const joiner = index === 0 ? ";" : (list.operators[index - 1] ?? ";");
    return planPipeline(command, joiner, text);
  });
}

function planPipeline(node: PipelineNode, joiner: Joiner, text: string): PlannedStep {
  if (node.type !== "Pipeline") return { joiner, negated: false, commands: [planCommand(node, text)] };
  if (node.operators.includes("|&")) refuse(node, text, { construct: "|&", suggestion: "2>&1 |" });
  return {
    joiner,
    negated: isNegated(node, text),
    commands: node.commands.map((command) => planCommand(command, text)),
  };
}

function isNegated(pipeline: Pipeline, text: string): boolean {
  if (pipeline.prefixes.some((prefix) => prefix.type === "Time")) {
    refuse(pipeline, text, { construct: "the keyword time" });
  }
  return pipeline.prefixes.length % 2 === 1;
}

function planCommand(node: Pipeline["commands"][number], text: string): PlannedCommand {
  if (node.type !== "Command") refuse(node, text, { construct: compoundNames[node.type] ?? node.type });
  const { name } = node;
  if (name === undefined) refuse(node, text, { construct: "an assignment or redirection without a command" });
  const words = [planName(name, node, text), ...planArguments(node, text)];
  return {
    text: text.slice(node.pos, node.end),
    words,
    assignments: planAssignments(node, text),
    redirections: planRedirections(node, text),
  };
}

function planName(name: Word, node: Command, text: string): PlannedWord {
  const word = planWord(name, node, text);
  if (word.kind === "glob") refuse(node, text, { construct: "a glob as the command name" });
  return word;
}

function planArguments(node: Command, text: string): PlannedWord[] {
  return node.args.map((argument) => {
    if (argument.type === "Word") return planWord(argument, node, text);
    return refuse(node, text, { construct: "a declaration" });
  });
}

function planWord(word: Word, node: Command, text: string): PlannedWord {
  const reading = readWord(word);
  if ("word" in reading) return reading.word;
  return refuse(node, text, {
    construct: reading.unsupported,
    suggestion: "run the parts one by one and use their output literally, or use run_code",
  });
}

function planAssignments(node: Command, text: string): EnvironmentAssignment[] {
  return node.prefix.flatMap((prefix) => {
    if (prefix.type !== "Assignment") return [];
    if (
      prefix.append ||
      prefix.index !== undefined ||
      prefix.value.type !== "Word" ||
      prefix.text.includes("~")
    ) {
      return refuse(node, text, { construct: "an assignment that is not NAME=text" });
    }
    const word = planWord(prefix.value, node, text);
    return [{ name: prefix.name, value: word.value }];
  });
}

function planRedirections(node: Command, text: string): PlannedRedirection[] {
  return node.redirects.flatMap((redirect) => {
    const reading = readRedirection(redirect);
    if ("redirections" in reading) return reading.redirections;
    const { unsupported: construct, suggestion } = reading;
    return refuse(node, text, suggestion === undefined ? { construct } : { construct, suggestion });
  });
}

function refuse(
  node: { readonly pos: number; readonly end: number },
  text: string,
  construct: Omit<UnsupportedConstruct, "offending">,
): never {
  throw new Unsupported({ ...construct, offending: text.slice(node.pos, node.end) });
}

const compoundNames: Readonly<Record<string, string>> = {
  Subshell: "a subshell",
  BraceGroup: "a group { }",
  If: "if",
  For: "a for loop",
  ArithmeticFor: "a for loop",
  Select: "select",
  While: "a loop",
  Case: "case",
  Function: "a function definition",
  Coproc: "coproc",
  TestCommand: "[[ ]]",
  ArithmeticCommand: "(( ))",
  Redirected: "a redirected group",
};
