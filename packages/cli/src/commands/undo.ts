import type { ChangeSummary } from "@haft/core";
import type { CliIo } from "../cli-io.js";
import { EXIT, type ExitCode } from "../exit-code.js";
import { withJournal } from "../open/with-journal.js";
import { printJson, printNote, printText } from "../output/print.js";
import { knownError } from "../output/report-error.js";
import { findRun, runStore } from "../run/run-store.js";
import { undoableCalls, undoRun } from "../run/undo-run.js";
import { UsageError } from "../usage-error.js";

interface UndoCommand {
  readonly callId?: string;
  /** Undo everything a session changed. */
  readonly run?: string;
  readonly dryRun?: boolean;
  readonly workspace?: string;
  readonly json?: boolean;
}

type Journal = Parameters<Parameters<typeof withJournal>[2]>[0];

/** Undoes one call or a whole session, unless the files have changed since. */
export async function undo(command: UndoCommand, io: CliIo): Promise<ExitCode> {
  if (command.run !== undefined && command.callId !== undefined)
    throw new UsageError("USAGE", "Name a call or a session, not both", "haft undo --run ID");
  if (command.dryRun === true && command.run === undefined)
    throw new UsageError("USAGE", "--dry-run needs --run", "haft undo --run last --dry-run");
  return withJournal(command, io, (journal) =>
    command.run === undefined ? undoCall(journal, command, io) : undoSession(journal, command, io),
  );
}

async function undoCall(journal: Journal, command: UndoCommand, io: CliIo): Promise<ExitCode> {
  try {
    const undone = await journal.undo(await wholeCallId(journal, command.callId));
    if (undone.length === 0 && command.json !== true)
      printText(io.stderr, "Nothing to undo: the files already match their state before the call.");
    return printUndone(undone, command, io);
  } catch (error) {
    return printFailure(error, command, io);
  }
}

/** A unique prefix of an id is enough. */
async function wholeCallId(journal: Journal, wanted: string | undefined): Promise<string | undefined> {
  if (wanted === undefined || wanted === "") return wanted;
  const ids = (await journal.changes()).map(({ callId }) => callId).filter((id) => id.startsWith(wanted));
  if (ids.includes(wanted)) return wanted;
  if (ids.length < 2) return ids[0] ?? wanted;
  throw new UsageError(
    "INVALID_ARGUMENTS",
    `More than one call starts with ${JSON.stringify(wanted.slice(0, 80))}`,
    ids.join(", "),
  );
}

/** Undoes the newest call first, so that each finds the files as it left them. Stops at the first conflict. */
async function undoSession(journal: Journal, command: UndoCommand, io: CliIo): Promise<ExitCode> {
  const { runId } = findRun(runStore(command.workspace, io), command.run ?? "last");
  const calls = await undoableCalls(journal, runId);
  const plan = calls.flatMap(({ tool, callId, changes }) =>
    changes.map(({ kind, path }) => `${kind} ${path} (${tool}, ${callId})`),
  );
  if (command.json !== true)
    printText(
      io.stderr,
      plan.length === 0
        ? `Session ${runId} has no changes to undo.`
        : `Session ${runId}, newest first:\n${plan.map((line) => `  ${line}`).join("\n")}`,
    );
  if (command.dryRun === true) {
    if (command.json === true) printJson(io.stdout, { ok: true, runId, calls });
    return EXIT.ok;
  }
  const undone: ChangeSummary[] = [];
  try {
    for await (const changes of undoRun(journal, runId)) undone.push(...changes);
  } catch (error) {
    if (undone.length === 0) return printFailure(error, command, io);
    if (command.json !== true) printUndone(undone, command, io);
    return printFailure({ ...knownError(error), hint: HALF_UNDONE }, { ...command, changes: undone }, io);
  }
  return printUndone(undone, command, io);
}

const HALF_UNDONE =
  "The newer changes of this session are undone; this call and the older ones are not. Restore these files, then undo the rest.";

function printUndone(changes: readonly ChangeSummary[], { json }: UndoCommand, io: CliIo): ExitCode {
  if (json === true) printJson(io.stdout, { ok: true, changes });
  else if (changes.length > 0)
    printText(io.stdout, changes.map(({ kind, path }) => `${kind} ${path}`).join("\n"));
  return EXIT.ok;
}

function printFailure(
  error: unknown,
  { json, callId, changes }: UndoCommand & { readonly changes?: readonly ChangeSummary[] },
  io: CliIo,
): ExitCode {
  const thrown = knownError(error);
  const known = callId === undefined ? thrown : { hint: "haft changes lists the calls.", ...thrown };
  if (json === true) printJson(io.stdout, { ok: false, error: known, ...(changes && { changes }) });
  const hint = known.hint === undefined ? "" : `\n${known.hint}`;
  printNote(io.stderr, `${known.code}: ${known.message}${hint}`);
  return EXIT.failed;
}
