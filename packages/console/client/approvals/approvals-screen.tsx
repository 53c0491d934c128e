import { sizeWords } from "../parts/change-words.js";
import { DiffSize } from "../parts/diff-view.js";
import { ago } from "../parts/duration.js";
import { Icon } from "../parts/icon.js";
import { ListSkeleton } from "../parts/list-skeleton.js";
import { VisibleText } from "../parts/visible-text.js";
import { RISKS } from "../session/waiting-foot.js";
import { sentence } from "../session/why-it-may-run.js";
import { askToNotify, notifications } from "../state/notify.js";
import { review } from "../state/review.js";
import { approvals, workspaces } from "../state/workspace.js";
import { questionOf } from "./approval-dialog.js";

/** Lists all pending approvals across runs. The list is read from disk, so it survives reloads and restarts. */
export function ApprovalsScreen() {
  const items = approvals.value;
  return (
    <>
      <div class="run-head">
        <h1>Approvals</h1>
        {items !== undefined && items.length > 0 && (
          <span class="chip is-waiting">
            <Icon name="waiting" />
            {items.length} waiting
          </span>
        )}
        <span class="grow" />
        {notifications.value === "default" && (
          <button type="button" class="btn" onClick={() => void askToNotify()}>
            Notify me
          </button>
        )}
      </div>
      <div class="scroll">
        {items === undefined && <ListSkeleton />}
        {items?.length === 0 && (
          <p class="empty">
            Nothing waits for you. Calls that need your approval appear here and survive a reload.
          </p>
        )}
        <ul class="inbox" aria-label="Waiting approvals">
          {(items ?? []).map((item) => (
            <li key={item.id}>
              <button type="button" class="inbox-row" onClick={() => review(item.id)}>
                <span class="is-waiting">
                  <Icon name="waiting" class="st" />
                </span>
                <span class="grow">
                  <b>
                    <VisibleText text={questionOf(item)} />
                  </b>
                  <span class="sub">
                    <code>
                      <VisibleText text={item.request.tool} />
                    </code>
                    <VisibleText text={item.task === undefined ? "" : ` in “${item.task.split("\n")[0]}”`} />
                    {(workspaces.value?.length ?? 0) > 1 && <> of {nameOf(item.workspace)}</>}.{" "}
                    <VisibleText text={sentence(item.request.reason)} />
                  </span>
                </span>
                <DiffSize changes={item.request.changes} />
                <span class="faint">
                  {item.request.changes.length > 0 && `${sizeWords(item.request.changes)}, `}
                  {RISKS[item.request.risk].toLowerCase()} risk
                </span>
                <span class="faint">{ago(item.requestedAt)}</span>
              </button>
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}

function nameOf(workspace: string): string {
  return workspaces.value?.find(({ id }) => id === workspace)?.name ?? workspace;
}
