import type { ExplainedStep, Explanation } from "@haft/core";
import type { CliIo } from "../cli-io.js";
import { EXIT, type ExitCode } from "../exit-code.js";
import { openRuntime, withRuntime } from "../open/open-runtime.js";
import type { RuntimeChoices } from "../open/runtime-choices.js";
import { printJson, printText } from "../output/print.js";
import { UsageError } from "../usage-error.js";
import { readArguments } from "./read-arguments.js";

export interface ExplainCommand extends RuntimeChoices {
  readonly tool: string;
  readonly args: string | undefined;
  readonly asJson: boolean;
}

/**
 * Walks a call through the same checks as `haft call` and says where it would end. Nothing is done. A refusal is an answer
 * as well; only about a tool that nobody knows there is nothing to say.
 */
export async function explain(command: ExplainCommand, io: CliIo): Promise<ExitCode> {
  const args = await readArguments(command.args, io);
  // Somebody who could be asked; nobody ever is.
  const approver = async () => ({ approved: false });
  const opening = openRuntime(command, io, { approver, readBeforeWrite: "off" });
  const explanation = await withRuntime(opening, ({ runtime }) => runtime.explain(command.tool, args));
  const unknown = explanation.steps.find(({ code }) => code === "TOOL_NOT_FOUND");
  if (command.asJson) printJson(io.stdout, { tool: command.tool, ...explanation });
  else if (unknown === undefined) printText(io.stdout, describe(command.tool, explanation));
  if (unknown !== undefined) throw unknownTool(unknown);
  return EXIT.ok;
}

function unknownTool({ code = "TOOL_NOT_FOUND", because, hint }: ExplainedStep): UsageError {
  return new UsageError(code, because.slice(`${code}: `.length), hint);
}

function describe(tool: string, { effect, steps, changes }: Explanation): string {
  return [
    `${tool}: ${effect}`,
    ...steps.flatMap(({ check, passed, because, hint }) => [
      `  ${passed ? "ok" : "no"}  ${check}: ${because}`,
      ...(hint === undefined ? [] : [`      ${hint}`]),
    ]),
    ...changes.map(({ kind, path }) => `  would ${kind} ${path}`),
  ].join("\n");
}
