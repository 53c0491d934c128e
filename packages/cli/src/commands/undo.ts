import type { ChangeSummary } from "@haft/core";
import type { CliIo } from "../cli-io.js";
import { EXIT, type ExitCode } from "../exit-code.js";
import { withJournal } from "../open/with-journal.js";
import { printJson, printText } from "../output/print.js";
import { knownError } from "../output/report-error.js";

export interface UndoCommand {
  readonly callId?: string;
  readonly workspace?: string;
  readonly json?: boolean;
}

/** Takes back what one call changed, if it is still as the call left it. */
export async function undo(command: UndoCommand, io: CliIo): Promise<ExitCode> {
  return withJournal(command, io, async (journal) => {
    try {
      return printUndone(await journal.undo(command.callId), command, io);
    } catch (error) {
      return printFailure(error, command, io);
    }
  });
}

function printUndone(changes: readonly ChangeSummary[], { json }: UndoCommand, io: CliIo): ExitCode {
  if (json === true) printJson(io.stdout, { ok: true, changes });
  else printText(io.stdout, changes.map(({ kind, path }) => `${kind} ${path}`).join("\n"));
  return EXIT.ok;
}

function printFailure(error: unknown, { json, callId }: UndoCommand, io: CliIo): ExitCode {
  const thrown = knownError(error);
  const known = callId === undefined ? thrown : { hint: "haft changes lists the calls.", ...thrown };
  if (json === true) printJson(io.stdout, { ok: false, error: known });
  const hint = known.hint === undefined ? "" : `\n${known.hint}`;
  printText(io.stderr, `${known.code}: ${known.message}${hint}`);
  return EXIT.failed;
}
