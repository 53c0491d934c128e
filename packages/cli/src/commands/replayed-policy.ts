import { replayDecisions, suggestRules } from "@haft/core/policy";
import { type AuditRecord, isDecision } from "@haft/core/stores";
import { countOf } from "@haft/text";
import type { CliIo } from "../cli-io.js";
import { EXIT, type ExitCode } from "../exit-code.js";
import { openRuntime, withRuntime } from "../open/open-runtime.js";
import type { RuntimeChoices } from "../open/runtime-choices.js";
import { withJournal } from "../open/with-journal.js";
import { formatTable, tableWidth } from "../output/format-table.js";
import { printJson, printText } from "../output/print.js";
import { warnOfDamage } from "./audit.js";

interface OutputChoice {
  readonly json?: boolean;
}

/** Proposes rules from the approval requests a person approved in this workspace. */
export async function suggest(
  choices: Pick<RuntimeChoices, "workspace"> & OutputChoice,
  io: CliIo,
): Promise<ExitCode> {
  const records = await withJournal(choices, io, async ({ audit }) => {
    await warnOfDamage(audit, io);
    return audit.list();
  });
  const suggestion = suggestRules(records);
  const { rules, roles, asked, covered } = suggestion;
  if (choices.json === true) printJson(io.stdout, suggestion);
  else if (rules.length === 0)
    io.stderr.write("No approved request in this workspace could be answered by a rule.\n");
  else printText(io.stdout, JSON.stringify({ ...(roles.length > 0 && { roles }), rules }, null, 2));
  if (choices.json !== true && rules.length > 0)
    io.stderr.write(
      `${countOf(rules.length, "rule")} ${rules.length === 1 ? "covers" : "cover"} ${covered} of ${countOf(asked, "approved request")}.\n`,
    );
  return EXIT.ok;
}

/** Lists the recorded calls that the configured rules would decide differently. */
export async function replay(choices: RuntimeChoices & OutputChoice, io: CliIo): Promise<ExitCode> {
  const { json, ...opening } = choices;
  const replayed = await withRuntime(openRuntime(opening, io), async ({ runtime, rules }) => {
    await warnOfDamage(runtime.audit, io);
    const records = (await runtime.audit.list()).filter(isDecision);
    return { records: records.length, changed: replayDecisions(records, rules, runtime.tools()) };
  });
  const { records, changed } = replayed;
  if (json === true) printJson(io.stdout, replayed);
  else if (changed.length > 0)
    printText(io.stdout, formatTable(HEADER, changed.map(toCells), { width: tableWidth(io) }));
  if (json !== true)
    io.stderr.write(
      `${changed.length} of ${countOf(records, "recorded call")} would be decided differently.\n`,
    );
  return EXIT.ok;
}

const HEADER = ["SEQ", "TOOL", "BEFORE", "AFTER", "WHAT"];

function toCells({ record, before, after }: ReturnType<typeof replayDecisions>[number]): readonly string[] {
  const shown = after === "proposal" ? "as the tool proposes" : after;
  return [String(record.seq), record.tool, before, shown, whatOf(record)];
}

function whatOf({ command, url, changes, paths, because }: AuditRecord): string {
  return command?.text ?? url ?? changes[0]?.path ?? paths[0] ?? because;
}
