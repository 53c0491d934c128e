import { ago, count, duration } from "../parts/duration.js";
import { Icon } from "../parts/icon.js";
import { Link } from "../parts/link.js";
import { StatusChip } from "../parts/status.js";
import { useNow } from "../parts/use-now.js";
import { VisibleText } from "../parts/visible-text.js";
import { isInspecting } from "../state/inspected.js";
import type { RunView } from "../state/run-view.js";
import { runs, view, workspace } from "../state/workspace.js";
import { Composer } from "./composer.js";
import { Conversation } from "./conversation.js";
import { runLook, runWords, statusIn, statusOf } from "./run-words.js";

export function SessionScreen() {
  const run = view.value;
  return run === undefined ? <NewRun /> : <RunScreen key={run.runId} run={run} />;
}

function RunScreen({ run }: { readonly run: RunView }) {
  return (
    <>
      <RunHead run={run} />
      <Conversation run={run} />
      <Composer run={run} />
    </>
  );
}

function RunHead({ run }: { readonly run: RunView }) {
  const state = run.state.value;
  const said = run.entries.value.find((entry) => entry.kind === "said");
  const task = said?.kind === "said" ? said.text.split("\n")[0] : "";
  return (
    <div class="run-head">
      <h1 class="cut">
        <VisibleText text={task === "" ? "Run" : (task ?? "")} />
      </h1>
      {state.status !== "idle" && (
        <StatusChip look={runLook(statusOf(state), state.ended?.reason)}>
          {runWords(statusOf(state), state.ended?.reason)}
        </StatusChip>
      )}
      <span class="grow" />
      <div class="meta">
        {state.step > 0 && <span>step {state.step}</span>}
        <TimeAtWork run={run} />
        {run.tokens.value > 0 && <span>{count(run.tokens.value)} tokens</span>}
      </div>
      <Link class="btn quiet icon" screen="history" item={run.runId} label="Timeline" title="Timeline">
        <Icon name="history" />
      </Link>
      <button
        type="button"
        class="btn quiet icon desk"
        aria-label="Inspector"
        aria-pressed={isInspecting.value}
        title="Inspector  ]"
        onClick={() => (isInspecting.value = !isInspecting.value)}
      >
        <Icon name="panel" />
      </button>
    </div>
  );
}

/** Returns the active time, without waiting. Advances while this console drives the run. */
function TimeAtWork({ run }: { readonly run: RunView }) {
  const { status, lastAt } = run.state.value;
  const isDriven = runs.value?.find(({ runId }) => runId === run.runId)?.isDrivenHere === true;
  const isCounting = isDriven && (status === "thinking" || status === "acting");
  const now = useNow(isCounting);
  const ms = run.totals.value.activeMs + (isCounting ? Math.max(0, now - Date.parse(lastAt)) : 0);
  return ms === 0 ? null : <span title="Time at work, without waiting">{duration(ms)}</span>;
}

function NewRun() {
  const recent = (runs.value ?? []).slice(0, 5);
  return (
    <div class="scroll start">
      <div class="start-inner">
        <h1>What should be done?</h1>
        <p class="muted">
          A run works in <code>{workspace.value?.name}</code> as <b>{workspace.value?.role}</b>. It asks
          before it changes anything that its role does not allow.
        </p>
        <Composer key={workspace.value?.id} />
        {runs.value !== undefined && recent.length === 0 && (
          <p class="empty">
            No runs yet. Say what should be done. <kbd>C</kbd>
          </p>
        )}
        {recent.length > 0 && (
          <ul class="runs recent" aria-label="Recent runs">
            {recent.map((each) => (
              <li key={each.runId}>
                <span class="recent-state">
                  <StatusChip look={runLook(statusIn(each), each.reason)}>
                    {runWords(statusIn(each), each.reason)}
                  </StatusChip>
                </span>
                <Link class="cut" screen="run" item={each.runId}>
                  <VisibleText text={each.task.split("\n")[0] ?? ""} />
                </Link>
                <span class="grow" />
                <span class="recent-age faint">{ago(each.lastAt)}</span>
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}
