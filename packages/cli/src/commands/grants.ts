import type { SavedGrant } from "@haft/runtime-node";
import type { CliIo } from "../cli-io.js";
import { EXIT, type ExitCode } from "../exit-code.js";
import { withJournal } from "../open/with-journal.js";
import { formatTable } from "../output/format-table.js";
import { printJson, printText } from "../output/print.js";
import { UsageError } from "../usage-error.js";

export interface GrantsChoices {
  readonly workspace?: string;
  readonly json?: boolean;
}

/** What somebody said "always" to in this workspace. */
export async function grants(choices: GrantsChoices, io: CliIo): Promise<ExitCode> {
  const saved = await withJournal(choices, io, async (journal) => journal.grants.list());
  if (choices.json === true) printJson(io.stdout, saved);
  else if (saved.length === 0)
    io.stderr.write("Nothing is remembered here: every call that asks is asked.\n");
  else printText(io.stdout, formatTable(HEADER, saved.map(toCells)));
  return EXIT.ok;
}

export interface RevokeCommand extends GrantsChoices {
  readonly id: string;
}

/** Takes one back. The first letters of its id are enough where they mean one grant. */
export async function revoke({ id, json, ...choices }: RevokeCommand, io: CliIo): Promise<ExitCode> {
  return withJournal(choices, io, async (journal) => {
    const grant = oneGrant(id, journal.grants.list());
    await journal.grants.revoke(grant.id);
    if (json === true) printJson(io.stdout, { ok: true, revoked: grant });
    else printText(io.stdout, `asked again from now on: ${grant.label}`);
    return EXIT.ok;
  });
}

const HEADER = ["ID", "SINCE", "ROLE", "WHAT MAY RUN UNASKED"];

function toCells({ id, createdAt, match, label }: SavedGrant): readonly string[] {
  return [id, createdAt, match.role, label];
}

function oneGrant(id: string, saved: readonly SavedGrant[]): SavedGrant {
  const found = saved.filter((grant) => grant.id === id || (id !== "" && grant.id.startsWith(id)));
  const [grant] = found;
  if (grant !== undefined && found.length === 1) return grant;
  const shown = JSON.stringify(id.slice(0, 80));
  const message =
    found.length > 1 ? `${shown} is the start of ${found.length} grants` : `There is no grant ${shown}`;
  throw new UsageError("GRANT_NOT_FOUND", message, "haft policy grants lists them.");
}
