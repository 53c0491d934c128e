import type { ComponentChildren } from "preact";
import type { TeamInfo } from "../../src/protocol.js";
import { duration } from "../parts/duration.js";
import { VisibleText } from "../parts/visible-text.js";

export function Workers({ info: { workers, atMs } }: { readonly info: TeamInfo }) {
  return (
    <section aria-label="Workers">
      <h2>Workers</h2>
      {workers.length === 0 ? (
        <p class="faint">
          No worker is running. Start one: <code>haft worker --root DIR --store URL</code>
        </p>
      ) : (
        <Table heads={["Worker", "Workspaces", "Active calls", "Lease ends"]}>
          {workers.map(({ worker, workspaces, activeCalls, expiresAtMs }) => (
            <tr key={worker}>
              <td>
                <code>
                  <VisibleText text={worker} />
                </code>
              </td>
              <td>
                <VisibleText text={workspaces.join(", ")} />
              </td>
              <td class="num">{activeCalls}</td>
              <td class="num">{leaseWords(expiresAtMs, atMs)}</td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  );
}

export function Workspaces({ info: { workspaces, atMs } }: { readonly info: TeamInfo }) {
  if (workspaces.length === 0) return null;
  return (
    <section aria-label="Leases">
      <h2>Leases</h2>
      <Table heads={["Workspace", "Held by", "Lease ends", "Epoch", "Unsettled calls"]}>
        {workspaces.map(({ workspace, worker, expiresAtMs, epoch, calls }) => (
          <tr key={workspace}>
            <td>
              <b>
                <VisibleText text={workspace} />
              </b>
            </td>
            <td>
              {worker === undefined ? (
                <span class="chip is-waiting">no worker</span>
              ) : (
                <code>
                  <VisibleText text={worker} />
                </code>
              )}
            </td>
            <td class="num">{leaseWords(expiresAtMs, atMs)}</td>
            <td class="num">{epoch}</td>
            <td class="num">{calls.queued + calls.preparing + calls.running + calls.awaiting_approval}</td>
          </tr>
        ))}
      </Table>
    </section>
  );
}

interface QuotaProps {
  readonly name: string;
  readonly used: number;
  readonly most: number;
}

export function Quota({ name, used, most }: QuotaProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {used.toLocaleString()}
        <small>of {most.toLocaleString()}</small>
        <span class="meter" aria-hidden="true">
          <i class={used >= most ? "full" : ""} style={{ "--w": `${Math.min(100, (100 * used) / most)}%` }} />
        </span>
      </dd>
    </div>
  );
}

/** Says that a list is cut off. Lists and counts are read one after the other, so a shorter list may be complete. */
export function Shown({ number, all }: { readonly number: number; readonly all: number }) {
  if (number < LISTED_AT_MOST || number >= all) return null;
  return (
    <p class="faint">
      The oldest {number.toLocaleString()} of {all.toLocaleString()}.
    </p>
  );
}

/** As many as the shared store returns without being asked for more. */
const LISTED_AT_MOST = 100;

export function Queue({ info: { queue, calls, atMs } }: { readonly info: TeamInfo }) {
  if (queue.length === 0) return null;
  const all = calls.queued + calls.preparing + calls.running + calls.awaiting_approval;
  return (
    <section aria-label="Calls">
      <h2>Calls</h2>
      <Shown number={queue.length} all={all} />
      <Table heads={["Call", "Workspace", "State", "Worker", "Since"]}>
        {queue.map(({ callId, tool, workspace, state, worker, attempt, submittedAtMs }) => (
          <tr key={callId}>
            <td>
              <code>
                <VisibleText text={tool} />
              </code>
            </td>
            <td>
              <VisibleText text={workspace} />
            </td>
            <td>
              {STATES[state]}
              {attempt > 1 && <span class="faint">, attempt {attempt}</span>}
            </td>
            <td>
              <VisibleText text={worker ?? ""} />
            </td>
            <td class="num">{sinceWords(atMs - submittedAtMs)}</td>
          </tr>
        ))}
      </Table>
    </section>
  );
}

const STATES = {
  queued: "queued",
  preparing: "preparing",
  awaiting_approval: "waits for approval",
  running: "running",
  settled: "settled",
} as const;

function sinceWords(ms: number): string {
  return ms < 1_000 ? "now" : duration(Math.round(ms / 1_000) * 1_000);
}

function leaseWords(expiresAtMs: number | undefined, atMs: number): string {
  if (expiresAtMs === undefined || expiresAtMs < atMs) return "ended";
  return `in ${duration(Math.ceil((expiresAtMs - atMs) / 1_000) * 1_000)}`;
}

interface TableProps {
  readonly heads: readonly string[];
  readonly children: ComponentChildren;
}

function Table({ heads, children }: TableProps) {
  return (
    <div class="table-scroll" tabIndex={0} role="region" aria-label={`Table: ${heads[0]}`}>
      <table class="plain-table">
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head}>{head}</th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
