import type { CliIo } from "../cli-io.js";
import { EXIT, type ExitCode } from "../exit-code.js";
import { withJournal } from "../open/with-journal.js";
import { formatTable, tableWidth } from "../output/format-table.js";
import { printJson, printText } from "../output/print.js";

interface ChangesChoices {
  readonly workspace?: string;
  readonly json?: boolean;
  readonly forget?: boolean;
}

/** Lists the changes calls made in this workspace, oldest first. */
export async function changes(choices: ChangesChoices, io: CliIo): Promise<ExitCode> {
  if (choices.forget === true) return forget(choices, io);
  const records = await withJournal(choices, io, (journal) => journal.changes());
  if (choices.json === true) printJson(io.stdout, records);
  else if (records.length === 0) io.stderr.write("No call has changed anything in this workspace.\n");
  else
    printText(
      io.stdout,
      formatTable(HEADER, records.map(toCells), {
        width: tableWidth(io),
        key: "CALL",
        spare: ["WHEN", "TOOL"],
      }),
    );
  return EXIT.ok;
}

async function forget(choices: ChangesChoices, io: CliIo): Promise<ExitCode> {
  const forgotten = await withJournal(choices, io, (journal) => journal.forgetChanges());
  const { calls, bytes } = forgotten;
  if (choices.json === true) printJson(io.stdout, { ok: true, ...forgotten });
  else if (calls === 0) io.stderr.write("No call has changed anything in this workspace.\n");
  else printText(io.stdout, `forgot ${calls} calls, ${inMegabytes(bytes)} MB; they can no longer be undone`);
  return EXIT.ok;
}

function inMegabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(1);
}

const HEADER = ["WHEN", "CALL", "TOOL", "STATE", "CHANGES"];

function toCells(record: {
  readonly at: string;
  readonly callId: string;
  readonly tool: string;
  readonly state: string;
  readonly changes: readonly { readonly kind: string; readonly path: string }[];
}): readonly string[] {
  const shown = record.changes.slice(0, MAX_SHOWN).map(({ kind, path }) => `${kind} ${path}`);
  const leftOff = record.changes.length - shown.length;
  const what = shown.join(", ") + (leftOff === 0 ? "" : ` and ${leftOff} more`);
  return [record.at, record.callId, record.tool, record.state, what];
}

/** Per call; `--json` contains all of them. */
const MAX_SHOWN = 5;
