import { describeChange } from "@haft/core";
import type { CliIo } from "../cli-io.js";
import { EXIT, type ExitCode } from "../exit-code.js";
import { openWorkspace } from "../open/open-workspace.js";
import { printJson, printText } from "../output/print.js";
import { knownError } from "../output/report-error.js";

export interface UndoCommand {
  readonly callId?: string;
  readonly workspace?: string;
  readonly json?: boolean;
}

/** Takes back what one call changed, if it is still as the call left it. */
export async function undo(command: UndoCommand, io: CliIo): Promise<ExitCode> {
  const workspace = await openWorkspace(command, io);
  try {
    const changes = (await workspace.undo(command.callId)).map(describeChange);
    if (command.json === true) printJson(io.stdout, { ok: true, changes });
    else printText(io.stdout, changes.map(({ kind, path }) => `${kind} ${path}`).join("\n"));
    return EXIT.ok;
  } catch (error) {
    const known = knownError(error);
    if (command.json === true) printJson(io.stdout, { ok: false, error: known });
    const hint = known.hint === undefined ? "" : `\n${known.hint}`;
    printText(io.stderr, `${known.code}: ${known.message}${hint}`);
    return EXIT.failed;
  }
}
