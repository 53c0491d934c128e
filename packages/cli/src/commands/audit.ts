import type { AuditRecord, AuditStore, AuditVerdict } from "@haft/core/stores";
import type { CliIo } from "../cli-io.js";
import { EXIT, type ExitCode } from "../exit-code.js";
import { withJournal } from "../open/with-journal.js";
import { formatTable, tableWidth } from "../output/format-table.js";
import { printJson, printText } from "../output/print.js";
import { openStore, type StoreChoices } from "./store.js";

interface AuditChoices extends StoreChoices {
  /** With a store: the tenant whose log is read. */
  readonly tenant?: string;
  readonly workspace?: string;
  readonly json?: boolean;
  /** Prints complete records, one per line, for other programs. */
  readonly export?: boolean;
  readonly verify?: boolean;
}

/** Lists, exports or verifies the decisions recorded for a workspace. */
export async function audit(choices: AuditChoices, io: CliIo): Promise<ExitCode> {
  if (choices.verify === true) return verify(choices, io);
  const records = await withLog(choices, io, async (log) => {
    await warnOfDamage(log, io);
    return log.list();
  });
  if (choices.export === true) for (const record of records) printJson(io.stdout, record);
  else if (choices.json === true) printJson(io.stdout, records);
  else if (records.length === 0) io.stderr.write("No decisions are recorded for this workspace.\n");
  else
    printText(
      io.stdout,
      formatTable(headerOf(records), records.map(cellsOf(records)), {
        width: tableWidth(io),
        spare: ["WHEN", "BY"],
      }),
    );
  return EXIT.ok;
}

/** Warns if a log that is about to be read was changed or is incomplete. */
export async function warnOfDamage(log: Pick<AuditStore, "verify">, io: CliIo): Promise<void> {
  const verdict = await log.verify();
  if (!verdict.intact) io.stderr.write(`warning: ${describeVerdict(verdict)}\n`);
}

async function verify(choices: AuditChoices, io: CliIo): Promise<ExitCode> {
  const verdict = await withLog(choices, io, (log) => log.verify());
  if (choices.json === true) printJson(io.stdout, verdict);
  else printText(verdict.intact ? io.stdout : io.stderr, describeVerdict(verdict));
  return verdict.intact ? EXIT.ok : EXIT.failed;
}

/** Opens the log of a workspace, or of a tenant in a shared store. */
async function withLog<T>(
  choices: AuditChoices,
  io: CliIo,
  work: (log: Pick<AuditStore, "list" | "verify">) => Promise<T>,
): Promise<T> {
  if (choices.store === undefined) return withJournal(choices, io, ({ audit: log }) => work(log));
  const store = await openStore(choices, io);
  try {
    return await work(store.audit(choices.tenant ?? "default"));
  } finally {
    await store.close();
  }
}

function describeVerdict({ intact, records, problem, remedy }: AuditVerdict): string {
  if (intact && records === 0)
    return "The audit log is empty. It cannot tell whether somebody deleted all of it; exported records can.";
  if (intact)
    return `The audit log is intact: ${records} ${records === 1 ? "record" : "records"}, each chained to the one before.`;
  const damage = `The audit log was tampered with or damaged: ${problem}. Records before that point are intact.`;
  return remedy === undefined ? damage : `${damage}\n${remedy}`;
}

/** A log that several share also says who made each call, and in which workspace. */
function isShared(records: readonly AuditRecord[]): boolean {
  return records.some(({ principal, workspace }) => principal !== undefined || workspace !== undefined);
}

function headerOf(records: readonly AuditRecord[]): readonly string[] {
  const caller = isShared(records) ? ["CALLER", "WORKSPACE"] : [];
  return ["SEQ", "WHEN", ...caller, "TOOL", "VERDICT", "BY", "WHAT"];
}

function cellsOf(records: readonly AuditRecord[]): (record: AuditRecord) => readonly string[] {
  const hasCaller = isShared(records);
  return (record) => {
    const { seq, at, tool, principal = "", workspace = "" } = record;
    const caller = hasCaller ? [principal, workspace] : [];
    if (!isReadable(record)) return [String(seq), "", ...caller.map(() => ""), "", "unreadable", "", ""];
    return [String(seq), at, ...caller, tool, ...verdictOf(record), whatOf(record)];
  };
}

/** A damaged record may lack any field; the warning above the list reports it. */
function isReadable({ at, tool, verdict, decider, changes }: Partial<AuditRecord>): boolean {
  const texts = [at, tool, verdict].every((text) => typeof text === "string");
  return texts && typeof decider?.how === "string" && Array.isArray(changes);
}

/** The verdict and its decider; for an outcome, the status and the duration of the call. */
function verdictOf({ verdict, decider, outcome }: AuditRecord): readonly [string, string] {
  if (outcome === undefined)
    return [verdict, decider.who === undefined ? decider.how : `${decider.how}: ${decider.who}`];
  const code = outcome.code === undefined ? "" : ` ${outcome.code}`;
  return [`${outcome.status}${code}`, `${outcome.durationMs} ms`];
}

/** Returns the targets of a call, or the reason for the decision if it has none. */
function whatOf({
  changes,
  command,
  url,
  because,
}: Pick<AuditRecord, "changes" | "command" | "url" | "because">): string {
  const targets = [
    ...changes.map(({ kind, path, from }) => `${kind} ${from === undefined ? path : `${from} to ${path}`}`),
    ...(command === undefined ? [] : [command.text]),
    ...(url === undefined ? [] : [url]),
  ];
  if (targets.length === 0) return because;
  const more = targets.length > MAX_SHOWN ? ` and ${targets.length - MAX_SHOWN} more` : "";
  return targets.slice(0, MAX_SHOWN).join(", ") + more;
}

/** Per record; `--json` and `--export` contain all of them. */
const MAX_SHOWN = 5;
