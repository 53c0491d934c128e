import type { ToolResult } from "@haft/core";
import { type ApproveChoice, chooseApprover } from "../ask/choose-approver.js";
import type { CliIo } from "../cli-io.js";
import { EXIT, type ExitCode } from "../exit-code.js";
import { openRuntime, withRuntime } from "../open/open-runtime.js";
import type { RuntimeChoices } from "../open/runtime-choices.js";
import { printJson, printText } from "../output/print.js";
import { knownError, reportError } from "../output/report-error.js";
import { refusedJson, resultJson } from "../output/result-json.js";
import { readArguments } from "./read-arguments.js";

export interface CallCommand extends RuntimeChoices, ApproveChoice {
  readonly tool: string;
  /** The arguments as text, or "-". */
  readonly args: string | undefined;
  readonly asJson: boolean;
  readonly dryRun: boolean;
}

/** One call by one person at a terminal, so nothing needs to be read first. */
export async function call(command: CallCommand, io: CliIo): Promise<ExitCode> {
  const { tool, dryRun, asJson } = command;
  try {
    const args = await readArguments(command.args, io);
    const opening = openRuntime(command, io, { ...chooseApprover(command, io), readBeforeWrite: "off" });
    const result = await withRuntime(opening, ({ runtime }) =>
      cancellable((signal) => runtime.call(tool, args, { dryRun, signal })),
    );
    return print(forPerson(result), asJson, io);
  } catch (error) {
    if (asJson) printJson(io.stdout, refusedJson(tool, knownError(error)));
    return reportError(error, io);
  }
}

/** The kernel speaks to a model; whoever typed the call can do something about it. */
function forPerson(result: ToolResult): ToolResult {
  if (result.ok || result.error.code !== "APPROVAL_REQUIRED") return result;
  const { error, text } = result;
  const hint = error.hint === undefined ? HOW_TO_APPROVE : `${error.hint} ${HOW_TO_APPROVE}`;
  return { ...result, error: { ...error, hint }, text: `${text}\n${HOW_TO_APPROVE}` };
}

const HOW_TO_APPROVE = "You approve it with --approve all; on a terminal --approve ask shows it first.";

function print(result: ToolResult, asJson: boolean, io: CliIo): ExitCode {
  if (asJson) printJson(io.stdout, resultJson(result));
  else printText(result.ok ? io.stdout : io.stderr, result.text);
  return result.ok ? EXIT.ok : EXIT.failed;
}

/** Ctrl-C cancels the call and lets it end in order; a second one ends the process. */
async function cancellable<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const cancel = () => controller.abort();
  process.once("SIGINT", cancel);
  try {
    return await work(controller.signal);
  } finally {
    process.off("SIGINT", cancel);
  }
}
