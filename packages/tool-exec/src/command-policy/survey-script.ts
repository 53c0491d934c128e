import { type Command, forEachChild, type ParsedScript, type SyntaxNode } from "unbash";
import { commandLimits } from "./command-limits.js";
import {
  type EnvironmentAssignment,
  literalWord,
  type PlannedCommand,
  type PlannedWord,
} from "./command-plan.js";
import { type Objection, unlisted } from "./objection.js";
import { readRedirection, writtenBy } from "./read-redirection.js";
import { readWord } from "./read-word.js";
import { wordList } from "./word-list.js";

type ScriptSurvey =
  | { readonly fragments: readonly PlannedCommand[] }
  | { readonly objection: Objection; readonly offending: string };

/**
 * Walks everything, including substitutions: collects parse errors and limits at any depth, and all simple commands.
 */
export function surveyScript(script: ParsedScript, text: string): ScriptSurvey {
  const survey: Survey = { text, fragments: [], words: 0, problem: undefined };
  try {
    visit(script, 0, survey);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    survey.problem ??= unlisted("the command is nested too deeply");
  }
  if (survey.problem !== undefined) return { objection: survey.problem, offending: text };
  return { fragments: survey.fragments };
}

interface Survey {
  readonly text: string;
  readonly fragments: PlannedCommand[];
  words: number;
  problem: Objection | undefined;
}

function visit(node: SyntaxNode, depth: number, survey: Survey): void {
  if (survey.problem !== undefined) return;
  survey.problem = problemWith(node, depth, survey);
  if (node.type === "Command") survey.fragments.push(fragmentOf(node, survey.text));
  const inner = nestingTypes.has(node.type) ? depth + 1 : depth;
  forEachChild(node, (child) => visit(child, inner, survey));
}

function problemWith(node: SyntaxNode, depth: number, survey: Survey): Objection | undefined {
  if (node.type === "Script") {
    const error = (node as ParsedScript).errors?.[0];
    if (error !== undefined) return unlisted(`the command does not parse: ${error.message}`);
  }
  if (node.type === "Word") survey.words += 1;
  if (depth > commandLimits.nesting)
    return unlisted(`the command nests deeper than ${commandLimits.nesting} levels`);
  if (survey.fragments.length > commandLimits.simpleCommands) {
    return unlisted(`the command line has more than ${commandLimits.simpleCommands} commands`);
  }
  if (survey.words > commandLimits.words)
    return unlisted(`the command has more than ${commandLimits.words} words`);
  return undefined;
}

const nestingTypes: ReadonlySet<SyntaxNode["type"]> = new Set(
  wordList(
    "Subshell BraceGroup If For ArithmeticFor Select While Case Function Coproc CommandExpansion",
    "ProcessSubstitution ArithmeticExpansion ParameterExpansion TestGroup ArithmeticGroup",
  ) as SyntaxNode["type"][],
);

// Unknown words become a marker that is neither a path nor an option, so only certain facts lead to objections.
function fragmentOf(command: Command, text: string): PlannedCommand {
  const words = [command.name, ...command.args].flatMap((word): PlannedWord[] => {
    if (word === undefined) return [];
    if (word.type === "Assignment") return [literalWord(word.text)];
    const reading = readWord(word);
    // Any home directory is certain to be outside.
    if (!("word" in reading) && /^~[\w/.-]*$/.test(word.text)) return [literalWord(word.text)];
    return ["word" in reading ? reading.word : literalWord("…")];
  });
  const redirections = command.redirects.flatMap((redirect) => {
    const reading = readRedirection(redirect);
    return "redirections" in reading ? reading.redirections : [];
  });
  const writes = command.redirects.flatMap((redirect) => writtenBy(redirect) ?? []);
  const variables = [...command.prefix, ...command.args].flatMap(variableOf);
  return {
    text: text.slice(command.pos, command.end),
    words,
    assignments: [],
    redirections,
    writes,
    variables,
  };
}

function variableOf(node: Command["prefix"][number] | Command["args"][number]): EnvironmentAssignment[] {
  if (node.type !== "Assignment") return [];
  const reading = node.value?.type === "Word" ? readWord(node.value) : undefined;
  const value = reading !== undefined && "word" in reading ? reading.word.value : "…";
  return [{ name: node.name, value }];
}
