import type { ChangeSummary, UndoPreview } from "@haft/core";
import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { UndoOutcome } from "../../src/protocol.js";
import { ChangeDiff } from "../parts/diff-view.js";
import { plural } from "../parts/duration.js";
import { Icon } from "../parts/icon.js";
import { ListSkeleton } from "../parts/list-skeleton.js";
import { Problem } from "../parts/problem.js";
import { announce, toast } from "../parts/toast.js";
import { VisibleText } from "../parts/visible-text.js";
import { withoutFolders } from "../parts/without-folders.js";
import { mainArgument } from "../session/call-words.js";
import { post, wordsOf } from "../state/api.js";
import { reconnections } from "../state/stream.js";
import { type Undoing, undoCount, undoing } from "../state/undoing.js";
import { view } from "../state/workspace.js";

/** Previews an undo call by call, before anything changes. */
export function UndoPane() {
  const what = undoing.value;
  return what === undefined ? null : <OpenPane key={what.callIds.join(" ")} what={what} />;
}

const close = () => {
  undoing.value = undefined;
};

function OpenPane({ what }: { readonly what: Undoing }) {
  const chosen = useSignal<ReadonlySet<string>>(new Set(what.callIds));
  const { preview, problem, load } = usePreview(chosen.value);
  const plan = preview.value;
  const isBusy = useSignal(false);
  const undo = async () => {
    if (plan === undefined) return;
    isBusy.value = true;
    const failure = await undoCalls(plan.callIds);
    isBusy.value = false;
    if (failure === undefined) close();
    else {
      problem.value = failure;
      await load();
    }
  };
  return (
    <aside class="inspect" aria-label={what.title}>
      <div class="panel-head">
        <h2>{what.title}</h2>
        <span class="chip plain">preview</span>
        <span class="grow" />
        <button type="button" class="btn quiet icon" aria-label="Close preview" onClick={close}>
          <Icon name="x" />
        </button>
      </div>
      <div class="scroll undo-body">
        <Problem text={problem.value} />
        {plan === undefined && problem.value === undefined && <ListSkeleton />}
        {plan !== undefined && (
          <>
            <p class="undo-words">{wordsFor(plan)}</p>
            <Calls what={what} plan={plan} chosen={chosen} />
            <Changes changes={plan.changes} />
            {what.hasCommands && <CommandsNote />}
          </>
        )}
      </div>
      <div class="panel-foot">
        <span class="faint grow">Can itself be undone</span>
        <button type="button" class="btn" onClick={close}>
          Cancel
        </button>
        <button
          type="button"
          class="btn primary"
          disabled={plan === undefined || plan.callIds.length === 0 || isBusy.value}
          onClick={() => void undo()}
        >
          <Icon name="undo" class="i-s" />
          Undo {plural(withoutFolders(plan?.changes ?? []).length, "file")}
        </button>
      </div>
    </aside>
  );
}

function usePreview(chosen: ReadonlySet<string>) {
  const preview = useSignal<UndoPreview | undefined>(undefined);
  const problem = useSignal<string | undefined>(undefined);
  const callIds = useMemo(() => [...chosen], [chosen]);
  const load = async () => {
    try {
      preview.value = await post<UndoPreview>("undopreview", { callIds });
      problem.value = undefined;
      announce("Preview updated");
    } catch (thrown) {
      problem.value = wordsOf(thrown);
    }
  };
  useEffect(() => void load(), [callIds, reconnections.value]);
  return { preview, problem, load };
}

/** Returns why some calls were not undone; undefined if all were. */
async function undoCalls(callIds: readonly string[]): Promise<string | undefined> {
  try {
    const outcomes = await post<readonly UndoOutcome[]>("undo", { callIds });
    undoCount.value++;
    const failed = outcomes.find(({ problem }) => problem !== undefined)?.problem;
    if (failed === undefined) toast(`Undid ${plural(outcomes.length, "call")}`);
    return failed;
  } catch (thrown) {
    return wordsOf(thrown);
  }
}

function wordsFor({ callIds, changes: all, refused }: UndoPreview): string {
  const changes = withoutFolders(all);
  const nothing = "Nothing happens until you press Undo.";
  if (callIds.length === 0) return "Nothing can be undone here.";
  const going = `${plural(changes.length, "file")} ${changes.length === 1 ? "goes" : "go"} back to how ${changes.length === 1 ? "it was" : "they were"}`;
  const kept =
    refused.length === 0
      ? ""
      : `; ${plural(refused.length, "call")} cannot be undone and ${refused.length === 1 ? "stays" : "stay"}`;
  return `${going}${kept}. ${nothing}`;
}

interface CallsProps {
  readonly what: Undoing;
  readonly plan: UndoPreview;
  readonly chosen: { value: ReadonlySet<string> };
}

function Calls({ what, plan, chosen }: CallsProps) {
  const toggle = (callId: string) => {
    const next = new Set(chosen.value);
    if (!next.delete(callId)) next.add(callId);
    chosen.value = next;
  };
  return (
    <ul class="undo-calls" aria-label="Calls">
      {what.callIds.map((callId) => {
        const call = view.value?.calls.get(callId)?.value;
        const refusal = plan.refused.find((each) => each.callId === callId);
        return (
          <li key={callId}>
            <label class="undo-row">
              <input
                type="checkbox"
                class="box"
                checked={chosen.value.has(callId) && refusal === undefined}
                disabled={refusal !== undefined}
                onChange={() => toggle(callId)}
              />
              <Icon name={refusal === undefined ? "undo" : "denied"} class="i-s" />
              <span class="cut">
                <code>
                  <VisibleText text={call?.tool ?? callId} />
                </code>{" "}
                <span class="faint">
                  <VisibleText text={call === undefined ? "" : mainArgument(call.args)} />
                </span>
              </span>
              {refusal !== undefined && <span class="faint">kept</span>}
              {refusal !== undefined && (
                <span class="sub">
                  <VisibleText text={refusal.message} />
                </span>
              )}
            </label>
          </li>
        );
      })}
    </ul>
  );
}

function Changes({ changes }: { readonly changes: readonly ChangeSummary[] }) {
  return (
    <>
      {withoutFolders(changes).map((change) => (
        <ChangeDiff key={`${change.kind} ${change.path}`} change={change} isCompact />
      ))}
    </>
  );
}

function CommandsNote() {
  return (
    <p class="callout is-unknown">
      <Icon name="unknown" />
      <span>
        <b>Commands are undone only in tracked files.</b> What they wrote to ignored folders, to .git or
        outside of the workspace stays.
      </span>
    </p>
  );
}
