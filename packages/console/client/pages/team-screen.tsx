import type { ApprovalItem, TeamInfo } from "../../src/protocol.js";
import { questionOf } from "../approvals/approval-dialog.js";
import { ago, plural } from "../parts/duration.js";
import { Icon } from "../parts/icon.js";
import { ListSkeleton } from "../parts/list-skeleton.js";
import { VisibleText } from "../parts/visible-text.js";
import { review } from "../state/review.js";
import { team, teamProblem } from "../state/team.js";
import { user } from "../state/workspace.js";
import { Queue, Quota, Shown, Workers, Workspaces } from "./team-tables.js";

/** Shows workers, leases, quotas and pending approvals of a shared store. */
export function TeamScreen() {
  const info = team.value;
  return (
    <>
      <div class="run-head">
        <h1>Team</h1>
        {typeof info?.tenant === "string" && <span class="chip plain">{info.tenant}</span>}
      </div>
      <div class="scroll">
        <article class="page team">
          {teamProblem.value !== undefined && (
            <p class="callout is-failed" role="alert">
              <Icon name="failed" />
              <span>
                <b>The shared store does not answer.</b> <VisibleText text={teamProblem.value} />
              </span>
            </p>
          )}
          {info === undefined && teamProblem.value === undefined && <ListSkeleton />}
          {info === null && <NoStore />}
          {info !== null && info !== undefined && <TeamParts info={info} />}
        </article>
      </div>
    </>
  );
}

function NoStore() {
  return (
    <div class="team-empty">
      <p>
        No shared store is configured. With one, calls run on workers on other machines, and this page shows
        them with their leases, quotas and pending approvals.
      </p>
      <ol>
        <li>
          Create the tables: <code>haft store migrate --store postgres://haft@localhost/haft</code>
        </li>
        <li>
          Start a worker on each machine: <code>haft worker --root /srv/workspaces --store …</code>
        </li>
        <li>
          Open the console with the same store: <code>haft console --store …</code>, or set{" "}
          <code>HAFT_STORE</code>
        </li>
      </ol>
    </div>
  );
}

function TeamParts({ info }: { readonly info: TeamInfo }) {
  return (
    <>
      <Quotas info={info} />
      <Waiting info={info} />
      <Workers info={info} />
      <Workspaces info={info} />
      <Queue info={info} />
      <Members info={info} />
    </>
  );
}

function Quotas({ info: { calls, quotas, workers, workspaces } }: { readonly info: TeamInfo }) {
  return (
    <section aria-label="Quotas">
      <dl class="figures">
        <div>
          <dt>Workers</dt>
          <dd>
            {workers.length}
            <small>{plural(workspaces.length, "workspace")}</small>
          </dd>
        </div>
        <Quota name="Running" used={calls.running + calls.preparing} most={quotas.maxRunning} />
        <Quota name="Queued" used={calls.queued} most={quotas.maxQueued} />
        <div>
          <dt>Waiting for approval</dt>
          <dd>
            {calls.awaiting_approval.toLocaleString()}
            <small>{calls.awaiting_approval === 1 ? "call" : "calls"}</small>
          </dd>
        </div>
      </dl>
    </section>
  );
}

function Waiting({ info: { approvals, calls, mayApprove, tenant } }: { readonly info: TeamInfo }) {
  return (
    <section aria-label="Pending approvals">
      <h2>Pending approvals</h2>
      {approvals.length === 0 && <p class="faint">Nothing waits for the team.</p>}
      {approvals.length > 0 && !mayApprove && (
        <p class="callout is-waiting">
          <Icon name="waiting" />
          <span>
            You may look but not approve. An operator can change that:{" "}
            <code>
              haft store member {user.value} --rights approve --tenant {tenant}
            </code>
          </span>
        </p>
      )}
      <Shown number={approvals.length} all={calls.awaiting_approval} />
      <ul class="inbox">
        {approvals.map((item) => (
          <li key={item.id}>
            <TeamApproval item={item} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function TeamApproval({ item }: { readonly item: ApprovalItem }) {
  return (
    <button type="button" class="inbox-row" onClick={() => review(item.id)}>
      <span class="is-waiting">
        <Icon name="waiting" class="st" />
      </span>
      <span class="grow">
        <b>
          <VisibleText text={questionOf(item)} />
        </b>
        <span class="sub">
          <code>{item.request.tool}</code> in <VisibleText text={item.workspace} />
        </span>
      </span>
      <span class="faint">{ago(item.requestedAt)}</span>
    </button>
  );
}

function Members({ info: { approvals, members, tenant } }: { readonly info: TeamInfo }) {
  return (
    <section aria-label="Members">
      <h2>Members</h2>
      {members.length === 0 ? (
        <p class="faint">
          Nobody may approve yet.
          {/* Above, if something waits. */}
          {approvals.length === 0 && (
            <>
              {" "}
              Name someone:{" "}
              <code>
                haft store member {user.value} --rights approve --tenant {tenant}
              </code>
            </>
          )}
        </p>
      ) : (
        <ul class="members">
          {members.map(({ id, rights }) => (
            <li key={id}>
              <b>
                <VisibleText text={id} />
              </b>{" "}
              <span class="faint">{rights.join(", ")}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
