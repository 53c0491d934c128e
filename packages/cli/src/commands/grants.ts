import type { SavedGrant } from "@haft/runtime-node";
import type { CliIo } from "../cli-io.js";
import { EXIT, type ExitCode } from "../exit-code.js";
import { withJournal } from "../open/with-journal.js";
import { formatTable, tableWidth } from "../output/format-table.js";
import { printJson, printText } from "../output/print.js";
import { describeArguments } from "../run/describe-arguments.js";
import { UsageError } from "../usage-error.js";

interface GrantsChoices {
  readonly workspace?: string;
  readonly json?: boolean;
}

/** Lists the answers that were saved with "always" in this workspace. */
export async function grants(choices: GrantsChoices, io: CliIo): Promise<ExitCode> {
  const saved = await withJournal(choices, io, async (journal) => journal.grants.list());
  if (choices.json === true) printJson(io.stdout, saved);
  else if (saved.length === 0)
    io.stderr.write("No grants are saved in this workspace: every call that needs approval asks.\n");
  else
    printText(
      io.stdout,
      formatTable(HEADER, saved.map(toCells), { width: tableWidth(io), spare: ["SINCE", "ROLE"] }),
    );
  return EXIT.ok;
}

interface RevokeCommand extends GrantsChoices {
  readonly id: string;
}

/** Revokes one grant. A unique prefix of its id is enough. */
export async function revoke({ id, json, ...choices }: RevokeCommand, io: CliIo): Promise<ExitCode> {
  return withJournal(choices, io, async (journal) => {
    const grant = oneGrant(id, await journal.grants.list());
    await journal.grants.revoke(grant.id);
    if (json === true) printJson(io.stdout, { ok: true, revoked: grant });
    else printText(io.stdout, `revoked, asks again from now on: ${describe(grant)}`);
    return EXIT.ok;
  });
}

const HEADER = ["ID", "SINCE", "ROLE", "ALLOWED WITHOUT ASKING"];

function toCells(grant: SavedGrant): readonly string[] {
  return [grant.id, grant.createdAt, grant.match.role, describe(grant)];
}

/** Adds the arguments where the label is only "this exact call". */
function describe({ label, match, shown }: SavedGrant): string {
  const args = match.callDigest === undefined ? undefined : shown?.args;
  return args === undefined ? label : `${label}: ${describeArguments(args as Record<string, unknown>)}`;
}

function oneGrant(id: string, saved: readonly SavedGrant[]): SavedGrant {
  const found = saved.filter((grant) => grant.id === id || (id !== "" && grant.id.startsWith(id)));
  const [grant] = found;
  if (grant !== undefined && found.length === 1) return grant;
  const shown = JSON.stringify(id.slice(0, 80));
  const message = found.length > 1 ? `${shown} matches ${found.length} grants` : `No grant ${shown}`;
  throw new UsageError("GRANT_NOT_FOUND", message, "haft policy grants lists them.");
}
