import type { Explanation } from "@haft/core";
import type { ExplainedStep } from "@haft/core/kernel";
import { APPROVE_ALL, type ApproveChoice } from "../ask/choose-approver.js";
import type { CliIo } from "../cli-io.js";
import { EXIT, type ExitCode } from "../exit-code.js";
import { type CommandParts, IN_THE_BOX, openRuntime, withRuntime } from "../open/open-runtime.js";
import type { RuntimeChoices } from "../open/runtime-choices.js";
import { printJson, printNote } from "../output/print.js";
import { UsageError } from "../usage-error.js";
import { readArguments } from "./read-arguments.js";

interface ExplainCommand extends RuntimeChoices, ApproveChoice {
  readonly tool: string;
  readonly args: string | undefined;
  readonly asJson: boolean;
}

/**
 * Runs a call through its real checks and prints the decision: that of a session, or with `--approve` that of `haft
 * call`. Executes nothing. A refusal is a successful answer; only an unknown tool is an error.
 */
export async function explain(command: ExplainCommand, io: CliIo): Promise<ExitCode> {
  const args = await readArguments(command.args, io);
  const opening = openRuntime(command, io, { ...explainedParts(command), readBeforeWrite: "off" });
  const explained = await withRuntime(opening, ({ runtime }) => runtime.explain(command.tool, args));
  const explanation = command.approve === "all" ? approvingAll(explained) : explained;
  const unknown = explanation.steps.find(({ code }) => code === "TOOL_NOT_FOUND");
  if (command.asJson) printJson(io.stdout, { tool: command.tool, ...explanation });
  else if (unknown === undefined) printNote(io.stdout, describe(command.tool, explanation));
  if (unknown !== undefined) throw unknownTool(unknown);
  return EXIT.ok;
}

/** Attaches an approver that is never called, unless the call would have none. */
function explainedParts({ approve }: ApproveChoice): CommandParts {
  if (approve === "none") return {};
  const approver = async () => ({ approved: false });
  return approve === undefined ? { ...IN_THE_BOX, approver } : { approver };
}

/** Replaces the question by the answer that `--approve all` gives to it. */
function approvingAll(explanation: Explanation): Explanation {
  if (explanation.effect !== "ask") return explanation;
  const answer: ExplainedStep = {
    check: "approver",
    passed: true,
    because: `${APPROVE_ALL} says yes unasked`,
  };
  const steps = [...explanation.steps.filter(({ check }) => check !== "approver"), answer];
  return { ...explanation, effect: "allow", decidedBy: APPROVE_ALL, steps };
}

function unknownTool({ code = "TOOL_NOT_FOUND", because, hint }: ExplainedStep): UsageError {
  return new UsageError(code, because.slice(`${code}: `.length), hint);
}

function describe(tool: string, explanation: Explanation): string {
  const { effect, decidedBy, steps, chain, changes } = explanation;
  return [
    `${tool}: ${effect}`,
    `  decided by ${decidedBy}`,
    ...steps.flatMap(({ check, passed, because, hint }) => [
      `  ${passed ? "ok" : "no"}  ${check}: ${because}`,
      ...(hint === undefined ? [] : [`      ${hint}`]),
    ]),
    ...(chain.length > 1 ? ["  opinions (the strictest wins):"] : []),
    ...(chain.length > 1
      ? chain.map(({ policy, ...one }) => `    ${one.effect}  ${policy}: ${one.because}`)
      : []),
    ...changes.map(({ kind, path }) => `  would ${kind} ${path}`),
  ].join("\n");
}
