import { type Signal, useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Icon } from "../parts/icon.js";
import { KeyHint } from "../parts/key-hint.js";
import { VisibleText } from "../parts/visible-text.js";
import { post, wordsOf } from "../state/api.js";
import { callTool } from "../state/called-tool.js";
import { messageDraft, typedInto } from "../state/message-drafts.js";
import { review } from "../state/review.js";
import { go, route } from "../state/route.js";
import { runProblem } from "../state/run-problem.js";
import type { RunView } from "../state/run-view.js";
import { approvals, view, workspace } from "../state/workspace.js";
import { MessageField, type MessageFieldHandle } from "./message-field.js";

export async function stopRun(): Promise<void> {
  const run = view.value;
  if (run === undefined || run.state.value.status === "done") return;
  runProblem.value = undefined;
  await post("stop", { runId: run.runId }).catch((thrown) => {
    runProblem.value = wordsOf(thrown);
  });
}

/** Starts a run, steers a running one, or continues one that has ended. */
export function Composer({ run }: { readonly run?: RunView }) {
  const text = messageDraft(run?.runId);
  const field = useRef<MessageFieldHandle>(null);
  const { send, isSending, problem } = useSending(text, run);
  const shownProblem = problem.value ?? (run === undefined ? undefined : runProblem.value);
  const isOver = run === undefined || run.state.value.status === "done";
  const sendAndStay = () => {
    void send();
    field.current?.focus();
  };
  useLayoutEffect(() => {
    if (run === undefined || typedInto.peek() !== run.runId) return;
    typedInto.value = undefined;
    field.current?.focus();
  }, []);
  return (
    <div class="dock">
      <AlsoWaiting run={run} />
      {shownProblem !== undefined && (
        <p class="callout is-failed" role="alert">
          <Icon name="failed" />
          <VisibleText text={shownProblem} />
        </p>
      )}
      <div class="composer">
        <MessageField
          ref={field}
          text={text}
          label={run === undefined ? "Task" : "Message"}
          placeholder={placeholderOf(run, isOver)}
          onSend={sendAndStay}
        />
        <div class="composer-bar">
          <PickerButtons onFile={() => field.current?.pickFile()} />
          <span class="grow" />
          <span class="role faint desk">
            <Icon name="rules" class="i-s" />
            {workspace.value?.role}
          </span>
          {!isOver && (
            <button type="button" class="btn" onClick={() => void stopRun()}>
              <Icon name="stop" class="i-s" />
              Stop <KeyHint keys="Shift Esc" />
            </button>
          )}
          <button
            type="button"
            class="btn primary"
            disabled={isSending.value || text.value.trim() === ""}
            onClick={sendAndStay}
          >
            {run === undefined ? "Start" : "Send"} <KeyHint keys="Mod Enter" />
          </button>
        </div>
      </div>
    </div>
  );
}

function PickerButtons({ onFile }: { onFile(): void }) {
  return (
    <>
      <button type="button" class="btn quiet" aria-label="Add file" onClick={onFile}>
        <Icon name="at" class="i-s" />
        <span class="desk">Add file</span>
      </button>
      <button type="button" class="btn quiet" aria-label="Call a tool" onClick={() => callTool()}>
        <Icon name="tools" class="i-s" />
        <span class="desk">
          Call a tool <kbd>/</kbd>
        </span>
      </button>
    </>
  );
}

/** Clears the field before sending, so that text typed meanwhile is kept. */
function useSending(text: Signal<string>, run: RunView | undefined) {
  const problem = useSignal<string | undefined>(undefined);
  const isSending = useSignal(false);
  const send = async (): Promise<void> => {
    const written = text.value;
    if (written.trim() === "" || isSending.value) return;
    isSending.value = true;
    problem.value = undefined;
    runProblem.value = undefined;
    text.value = "";
    try {
      if (run === undefined) await startRun(written.trim(), text);
      else await post("say", { runId: run.runId, text: written.trim() });
    } catch (thrown) {
      text.value = text.value === "" ? written : `${written}\n${text.value}`;
      problem.value = wordsOf(thrown);
    } finally {
      isSending.value = false;
    }
  };
  return { send, isSending, problem };
}

/** Shows the started run, unless another screen was opened since. Text typed meanwhile becomes its next message. */
async function startRun(task: string, draft: Signal<string>): Promise<void> {
  const from = route.value;
  const { runId } = await post<{ runId: string }>("start", { task });
  if (route.value !== from) return;
  messageDraft(runId).value = draft.value;
  draft.value = "";
  if (document.activeElement?.closest(".composer")) typedInto.value = runId;
  go({ screen: "run", item: runId });
}

function placeholderOf(run: RunView | undefined, isOver: boolean): string {
  if (run === undefined) return "Fix the failing test, and explain what was wrong";
  return isOver ? "Say what comes next" : "Steer this run, or say what comes next";
}

/** Counts pending approvals that are not on this screen. */
function AlsoWaiting({ run }: { readonly run: RunView | undefined }) {
  const others = (approvals.value ?? []).filter(({ runId }) => runId === undefined || runId !== run?.runId);
  const [first] = others;
  if (first === undefined) return null;
  return (
    <div class="needs">
      <Icon name="waiting" />
      <span class="grow cut">
        Also waiting:{" "}
        <code>
          <VisibleText text={first.request.tool} />
        </code>
        <VisibleText text={first.task === undefined ? "" : ` in “${first.task.split("\n")[0]}”`} />
      </span>
      <button type="button" class="btn sm" onClick={() => review(first.id)}>
        Review next <kbd>J</kbd>
      </button>
    </div>
  );
}
