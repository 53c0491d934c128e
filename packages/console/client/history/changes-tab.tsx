import type { ChangeRecord } from "@haft/core/journal";
import { useLoaded } from "../pages/use-loaded.js";
import { ChangeDiff } from "../parts/diff-view.js";
import { plural } from "../parts/duration.js";
import { Icon } from "../parts/icon.js";
import { VisibleText } from "../parts/visible-text.js";
import { withoutFolders } from "../parts/without-folders.js";
import { deciderOf, mainArgument } from "../session/call-words.js";
import type { CallView } from "../state/call-view.js";
import type { RunView } from "../state/run-view.js";
import { undoCount, undoing } from "../state/undoing.js";
import { user } from "../state/workspace.js";

/** Shows every change of a run with its diff, and lets the user undo it. */
export function ChangesTab({ run }: { readonly run: RunView }) {
  const { value: records } = useLoaded<readonly ChangeRecord[]>("changes", undoCount.value);
  const calls = changingCalls(run);
  const states = new Map((records.value ?? []).map(({ callId, state }) => [callId, state]));
  const open = calls.filter(({ callId }) => states.get(callId) === "done");
  if (calls.length === 0) return <p class="empty">This run changed no files.</p>;
  return (
    <section class="block changes" aria-label="Changes">
      <div class="block-head">
        <h2>{plural(calls.length, "call")} changed files</h2>
        <span class="grow" />
        {open.length > 0 && (
          <button type="button" class="btn" onClick={() => previewUndo(run, open, "Undo this run")}>
            <Icon name="undo" class="i-s" />
            Undo the run
          </button>
        )}
      </div>
      {calls.map((call) => (
        <CallChanges key={call.callId} call={call} run={run} state={states.get(call.callId)} />
      ))}
    </section>
  );
}

function changingCalls(run: RunView): readonly CallView[] {
  void run.state.value;
  return [...run.calls.values()].map((call) => call.value).filter(({ effects }) => effects.length > 0);
}

/** Opens the preview; nothing is undone yet. */
export function previewUndo(run: RunView, calls: readonly Pick<CallView, "callId">[], title: string): void {
  undoing.value = {
    title,
    callIds: [...new Set(calls.map(({ callId }) => callId))],
    hasCommands: [...run.calls.values()].some((call) => call.peek().args.command !== undefined),
  };
}

interface CallChangesProps {
  readonly call: CallView;
  readonly run: RunView;
  readonly state: ChangeRecord["state"] | undefined;
}

function CallChanges({ call, run, state }: CallChangesProps) {
  return (
    <div class={state === "undone" ? "undone" : ""}>
      <div class="sec-head">
        <code>
          <VisibleText text={call.tool} />
        </code>
        <span class="faint cut">
          <VisibleText text={mainArgument(call.args)} />
        </span>
        <span class="faint">{deciderOf(call, user.value)}</span>
        <span class="grow" />
        {state === "undone" && <span class="chip plain">Undone</span>}
        {state === "done" && (
          <button type="button" class="btn sm" onClick={() => previewUndo(run, [call], "Undo this call")}>
            <Icon name="undo" class="i-s" />
            Undo
          </button>
        )}
      </div>
      {withoutFolders(call.effects).map((effect) => (
        <ChangeDiff key={effect.path} change={effect} />
      ))}
    </div>
  );
}
