import { type MemberRight, type TeamStatus, teamStatus } from "@haft/core/calls";
import type { PostgresStore } from "@haft/store-postgres";
import type { CliIo } from "../cli-io.js";
import { EXIT, type ExitCode } from "../exit-code.js";
import { loadOptional } from "../open/load-optional.js";
import { formatTable, tableWidth } from "../output/format-table.js";
import { printJson, printText } from "../output/print.js";
import { UsageError } from "../usage-error.js";

export interface StoreChoices {
  readonly store?: string;
}

/** Creates or updates the tables. */
export function migrate(choices: StoreChoices, io: CliIo): Promise<ExitCode> {
  return withStore(choices, io, async (store) => {
    const applied = await store.migrate();
    const { found } = await store.version();
    const change = applied.length === 0 ? "nothing to do" : `applied version ${applied.join(", ")}`;
    printText(io.stdout, `The store is at version ${found}: ${change}.`);
  });
}

/** Prints the version, quotas, workers, queue and pending approvals of a tenant. */
export function status(
  choices: StoreChoices & { readonly tenant: string; readonly json?: boolean },
  io: CliIo,
): Promise<ExitCode> {
  return withStore(choices, io, async (store) => {
    const version = await store.version();
    const found = { version, ...brief(await teamStatus(store, { tenant: choices.tenant })) };
    if (choices.json === true) return printJson(io.stdout, found);
    printStatus(found, io);
  });
}

type BriefStatus = ReturnType<typeof brief> & { readonly version: { found: number; needed: number } };

/** Omits arguments and previews, which may be long or secret. */
function brief({ queue, approvals, ...status }: TeamStatus) {
  return {
    ...status,
    queue: queue.map(({ callId, tool, workspace, state, principal, worker, submittedAtMs }) => ({
      callId,
      tool,
      workspace,
      state,
      principal,
      worker,
      submittedAt: new Date(submittedAtMs).toISOString(),
    })),
    approvals: approvals.map(({ request, workspace, requestedAt }) => ({
      approvalId: request.stepId,
      tool: request.tool,
      workspace,
      requestedAt,
    })),
  };
}

function printStatus({ version, calls, quotas, ...status }: BriefStatus, io: CliIo): void {
  const { stdout } = io;
  const { found, needed } = version;
  const table = (headings: readonly string[], rows: readonly (readonly string[])[]) => {
    if (rows.length > 0) printText(stdout, formatTable(headings, rows, { width: tableWidth(io) }));
  };
  printText(stdout, `version ${found}${found === needed ? "" : `, this program needs ${needed}`}`);
  printText(
    stdout,
    `${calls.queued} of ${quotas.maxQueued} queued, ${calls.preparing + calls.running} of ${quotas.maxRunning} running, ${calls.awaiting_approval} waiting for approval`,
  );
  const leftOf = (expiresAtMs: number) => `${((expiresAtMs - status.atMs) / 1_000).toFixed(1)} s left`;
  table(
    ["WORKER", "WORKSPACES", "RUNNING", "LEASE"],
    status.workers.map((each) => [
      each.worker,
      String(each.workspaces.length),
      String(each.activeCalls),
      leftOf(each.expiresAtMs),
    ]),
  );
  table(
    ["WORKSPACE", "WORKER", "LEASE", "QUEUED"],
    status.workspaces.map((each) => [
      each.workspace,
      each.worker ?? "no worker",
      `epoch ${each.epoch}`,
      String(each.calls.queued),
    ]),
  );
  table(
    ["CALL", "TOOL", "WORKSPACE", "STATE", "SINCE"],
    status.queue.map((each) => [each.callId, each.tool, each.workspace, each.state, each.submittedAt]),
  );
  table(
    ["APPROVAL", "TOOL", "WORKSPACE", "SINCE"],
    status.approvals.map((each) => [each.approvalId, each.tool, each.workspace, each.requestedAt]),
  );
}

/** Deletes calls that were settled long ago. */
export function prune(choices: StoreChoices & { readonly days: number }, io: CliIo): Promise<ExitCode> {
  if (!(choices.days >= 0)) throw new UsageError("USAGE", "--days must be a number, 0 or above");
  return withStore(choices, io, async (store) => {
    // The database has no dates in the distant past, and nothing was settled before 1970.
    const settledBeforeMs = Math.max(0, Date.now() - choices.days * 24 * 60 * 60 * 1000);
    printText(io.stdout, `Deleted ${await store.calls.prune({ settledBeforeMs })} calls.`);
  });
}

interface MemberChoices extends StoreChoices {
  readonly id?: string;
  readonly tenant: string;
  readonly rights?: string;
}

/** Lists members, or sets the rights of one. */
export function member({ id, tenant, rights, ...choices }: MemberChoices, io: CliIo): Promise<ExitCode> {
  if (id !== undefined && rights === undefined)
    throw new UsageError("USAGE", "--rights is missing", `haft store member ${id} --rights approve`);
  const wanted = (rights ?? "").split(",").filter((right) => right !== "");
  const unknown = wanted.find((right) => !RIGHTS.includes(right as MemberRight));
  if (unknown !== undefined)
    throw new UsageError("USAGE", `Unknown right ${JSON.stringify(unknown)}`, `Rights: ${RIGHTS.join(", ")}`);
  return withStore(choices, io, async ({ members }) => {
    if (id !== undefined && wanted.length === 0) await members.remove({ tenant, id });
    else if (id !== undefined) await members.put({ tenant, id, rights: wanted as MemberRight[] });
    const rows = (await members.list(tenant)).map((each) => [each.id, each.rights.join(", ")]);
    printText(
      io.stdout,
      rows.length === 0
        ? `${tenant} has no members, so approvals cannot be answered.`
        : formatTable(["MEMBER", "RIGHTS"], rows, { width: tableWidth(io) }),
    );
  });
}

const RIGHTS: readonly MemberRight[] = ["approve", "operate"];

/** Opens the store named by `--store` or HAFT_STORE. */
export async function openStore({ store: given }: StoreChoices, io: CliIo): Promise<PostgresStore> {
  const url = given ?? io.env.HAFT_STORE;
  if (url === undefined || !/^postgres(ql)?:\/\//.test(url))
    throw new UsageError(
      "USAGE",
      url === undefined ? "No store given" : "The store address must start with postgres://",
      "Use --store postgres://USER@HOST/DATABASE, or set HAFT_STORE.",
    );
  const name = "@haft/store-postgres";
  const { postgresStore } = await loadOptional<typeof import("@haft/store-postgres")>(
    name,
    "The PostgreSQL store",
  );
  return postgresStore(url);
}

async function withStore(
  choices: StoreChoices,
  io: CliIo,
  work: (store: PostgresStore) => Promise<void>,
): Promise<ExitCode> {
  const store = await openStore(choices, io);
  try {
    await work(store);
    return EXIT.ok;
  } finally {
    await store.close();
  }
}
