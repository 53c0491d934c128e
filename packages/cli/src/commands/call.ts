import type { ToolResult } from "@haft/core";
import { type ApproveChoice, chooseApprover } from "../ask/choose-approver.js";
import type { CliIo } from "../cli-io.js";
import { EXIT, type ExitCode } from "../exit-code.js";
import { openRuntime, withRuntime } from "../open/open-runtime.js";
import type { RuntimeChoices } from "../open/runtime-choices.js";
import { printJson, printNote, printText } from "../output/print.js";
import { knownError, reportError } from "../output/report-error.js";
import { refusedJson, resultJson } from "../output/result-json.js";
import { readArguments } from "./read-arguments.js";

export interface CallCommand extends RuntimeChoices, ApproveChoice {
  readonly tool: string;
  /** The arguments as JSON text, or "-" for standard input. */
  readonly args: string | undefined;
  readonly asJson: boolean;
  readonly dryRun: boolean;
}

/** Executes one call from the command line. Read-before-write is off because a single call cannot read first. */
export async function call(command: CallCommand, io: CliIo): Promise<ExitCode> {
  const { tool, dryRun, asJson } = command;
  const interrupted = new AbortController();
  const { signal } = interrupted;
  const onInterrupt = () => interrupted.abort();
  try {
    const args = await readArguments(command.args, io);
    const approver = chooseApprover(command, io, onInterrupt);
    const opening = openRuntime(command, io, { ...approver, readBeforeWrite: "off" });
    const result = await withRuntime(opening, ({ runtime }) =>
      interruptible(
        () => runtime.call(tool, args, { dryRun, signal }),
        () => {
          // The terminal has echoed ^C on this line.
          if (io.stderr.isTTY === true) io.stderr.write("\n");
          onInterrupt();
        },
      ),
    );
    const code = print(forPerson(result), asJson, io);
    return code === EXIT.failed && signal.aborted ? EXIT.interrupted : code;
  } catch (error) {
    if (asJson) printJson(io.stdout, refusedJson(tool, knownError(error)));
    return reportError(error, io);
  }
}

/** Adds the command-line option that helps; the kernel's hint is written for a model. */
function forPerson(result: ToolResult): ToolResult {
  if (result.ok || result.error.code !== "APPROVAL_REQUIRED") return result;
  const { error, text } = result;
  const hint = error.hint === undefined ? HOW_TO_APPROVE : `${error.hint} ${HOW_TO_APPROVE}`;
  return { ...result, error: { ...error, hint }, text: `${text}\n${HOW_TO_APPROVE}` };
}

const HOW_TO_APPROVE =
  "To approve it, add --approve all; on a terminal, --approve ask shows the request first.";

function print(result: ToolResult, asJson: boolean, io: CliIo): ExitCode {
  if (asJson) printJson(io.stdout, resultJson(result));
  else if (result.ok) printText(io.stdout, result.text);
  else printNote(io.stderr, result.text);
  return result.ok ? EXIT.ok : EXIT.failed;
}

/** Ctrl-C cancels the call and waits for it to end. A second Ctrl-C ends the process. */
async function interruptible<T>(work: () => Promise<T>, onInterrupt: () => void): Promise<T> {
  process.once("SIGINT", onInterrupt);
  try {
    return await work();
  } finally {
    process.off("SIGINT", onInterrupt);
  }
}
