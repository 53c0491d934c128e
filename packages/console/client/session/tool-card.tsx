import type { Signal } from "@preact/signals";
import { useComputed, useSignal } from "@preact/signals";
import { DiffSize } from "../parts/diff-view.js";
import { duration } from "../parts/duration.js";
import { Icon } from "../parts/icon.js";
import { StatusGlyph } from "../parts/status.js";
import { useNow } from "../parts/use-now.js";
import { shownText, VisibleText } from "../parts/visible-text.js";
import { post, wordsOf } from "../state/api.js";
import type { CallView } from "../state/call-view.js";
import { inspect, inspected } from "../state/inspected.js";
import { runProblem } from "../state/run-problem.js";
import type { RunView } from "../state/run-view.js";
import { runs, user } from "../state/workspace.js";
import { CallBody } from "./call-body.js";
import { deciderOf, failureWords, mainArgument, waitedFor, workOf } from "./call-words.js";
import { WaitingBody } from "./waiting-body.js";
import { WaitingFoot } from "./waiting-foot.js";

/** Shows a tool call from its proposal on. Folded after a success; open while it runs or waits, and after a failure. */
export function ToolCard({ call, run }: { readonly call: Signal<CallView>; readonly run: RunView }) {
  const { callId, look } = call.value;
  const choice = run.foldOf(callId);
  const isOpen = useComputed(() => choice.value ?? OPEN.has(call.value.look));
  const isWaiting = look === "waiting";
  const id = `card-${callId.replaceAll(":", "-")}`;
  return (
    <article
      class={`card is-${look === "proposed" ? "running" : look}`}
      aria-label={shownText(`${call.value.tool} ${mainArgument(call.value.args)}`.slice(0, 120))}
      aria-current={inspected.value === callId ? "true" : undefined}
      data-call={callId}
    >
      {isWaiting ? (
        <div class="card-head">
          <HeadFacts call={call.value} />
        </div>
      ) : (
        <button
          type="button"
          class="card-head"
          aria-expanded={isOpen.value}
          aria-controls={id}
          onClick={() => (choice.value = !isOpen.value)}
        >
          <HeadFacts call={call.value} />
          <Icon name="chev" class={`tw ${isOpen.value ? "open" : ""}`} />
        </button>
      )}
      {look === "running" && <div class="live" />}
      {(isOpen.value || isWaiting) && (
        <div class="card-body" id={id}>
          {isWaiting ? <WaitingBody call={call.value} /> : <CallBody call={call.value} />}
          {isWaiting && run.isReplay ? null : isWaiting && call.value.approval !== undefined ? (
            <WaitingFoot call={call.value} approval={call.value.approval} />
          ) : (
            <CardFoot call={call.value} run={run} />
          )}
        </div>
      )}
    </article>
  );
}

const OPEN: ReadonlySet<string> = new Set(["running", "waiting", "failed", "unknown"]);

function HeadFacts({ call }: { readonly call: CallView }) {
  const { tool, args, look, effects, approval } = call;
  const changes = effects.length > 0 ? effects : look === "waiting" ? (approval?.changes ?? []) : [];
  return (
    <>
      <StatusGlyph look={look} />
      <span class="tool">
        <VisibleText text={tool} />
      </span>
      <span class="arg cut">
        <VisibleText text={mainArgument(args)} />
      </span>
      <span class="facts">
        {look === "failed" && <b>{failureWords(call)}</b>}
        {look === "unknown" && <b>may have happened</b>}
        <DiffSize changes={changes} />
        <Took call={call} />
      </span>
    </>
  );
}

/** Returns how long it ran, or how long it has been running or waiting. */
function Took({ call }: { readonly call: CallView }) {
  const now = useNow(call.look === "running" || call.look === "waiting");
  if (call.ms !== undefined) {
    const ms = workOf(call);
    return ms === 0 ? null : <span>{duration(ms)}</span>;
  }
  const since = call.look === "waiting" ? call.waits.at(-1)?.from : call.startedAt;
  if (since === undefined) return null;
  const seconds = Math.floor((now - Date.parse(since)) / 1_000);
  return seconds < 1 ? null : <span>{duration(seconds * 1_000)}</span>;
}

function CardFoot({ call, run }: { readonly call: CallView; readonly run: RunView }) {
  const decider = deciderOf(call, user.value);
  const waited = waitedFor(call);
  return (
    <div class="card-act">
      <span class="faint">
        {[decider, waited > 1_000 ? `waited ${duration(waited)}` : undefined].filter(Boolean).join(", ")}
        {call.changedArgs !== undefined && " with edited arguments"}
      </span>
      <span class="grow" />
      {call.look === "running" && !run.isReplay && <StopCall call={call} run={run} />}
      <button type="button" class="btn quiet sm" onClick={() => inspect(call.callId)}>
        Details
      </button>
    </div>
  );
}

/** Cancels this call only. The model receives the cancellation and continues. */
function StopCall({ call, run }: { readonly call: CallView; readonly run: RunView }) {
  const isStopping = useSignal(false);
  if (runs.value?.find(({ runId }) => runId === run.runId)?.isDrivenHere !== true) return null;
  const stop = async () => {
    isStopping.value = true;
    runProblem.value = undefined;
    await post("stopcall", { callId: call.callId }).catch((thrown) => {
      isStopping.value = false;
      runProblem.value = wordsOf(thrown);
    });
  };
  return (
    <button type="button" class="btn quiet sm" disabled={isStopping.value} onClick={() => void stop()}>
      <Icon name="stop" class="i-s" />
      Stop call
    </button>
  );
}
