import { between, duration, exactClock, since } from "../parts/duration.js";
import { Icon } from "../parts/icon.js";
import { CopyButton, JsonWell } from "../parts/json-well.js";
import { prettyJson } from "../parts/pretty-json.js";
import { StatusChip } from "../parts/status.js";
import { useNow } from "../parts/use-now.js";
import { VisibleText } from "../parts/visible-text.js";
import { withoutFolders } from "../parts/without-folders.js";
import type { CallView } from "../state/call-view.js";
import { inspected, isInspecting } from "../state/inspected.js";
import { user, view } from "../state/workspace.js";
import { CHANGED, deciderOf, isStopped, leftQueueAt, waitedFor, workOf } from "./call-words.js";
import { WhyItMayRun } from "./why-it-may-run.js";

const WORDS = {
  proposed: "Queued",
  waiting: "Waits for you",
  running: "Running",
  ok: "Done",
  failed: "Failed",
  denied: "Not done",
  unknown: "Unknown",
} as const;

/** Shows everything about one call. */
export function Inspector() {
  const run = view.value;
  void run?.entries.value;
  const ids = run === undefined ? [] : [...run.calls.keys()];
  const at = Math.max(0, ids.indexOf(inspected.value ?? ids.at(-1) ?? ""));
  const call = run?.calls.get(ids[at] ?? "")?.value;
  const move = (by: number) => {
    inspected.value = ids[Math.min(ids.length - 1, Math.max(0, at + by))];
  };
  return (
    <aside class="inspect" aria-label="Call">
      <div class="panel-head">
        <h2>Call {call === undefined ? "" : at + 1}</h2>
        {call !== undefined && (
          <StatusChip look={call.look === "proposed" ? "running" : call.look}>
            {isStopped(call) ? "Stopped" : WORDS[call.look]}
          </StatusChip>
        )}
        <span class="grow" />
        <button type="button" class="btn quiet icon" aria-label="Previous call" onClick={() => move(-1)}>
          <Icon name="up" />
        </button>
        <button type="button" class="btn quiet icon" aria-label="Next call" onClick={() => move(1)}>
          <Icon name="down" />
        </button>
        <button
          type="button"
          class="btn quiet icon"
          aria-label="Close inspector"
          onClick={() => (isInspecting.value = false)}
        >
          <Icon name="x" />
        </button>
      </div>
      <div class="scroll">
        {call === undefined ? (
          <p class="empty">Calls appear here once the model makes the first one.</p>
        ) : (
          <Facts call={call} />
        )}
      </div>
    </aside>
  );
}

function Facts({ call }: { readonly call: CallView }) {
  const decider = deciderOf(call, user.value);
  return (
    <>
      <div class="sec">
        <dl class="kv">
          <dt>Tool</dt>
          <dd>
            <code>
              <VisibleText text={call.tool} />
            </code>
          </dd>
          <dt>{call.startedAt === undefined ? "Made" : "Started"}</dt>
          <dd>
            {exactClock(call.startedAt ?? call.proposedAt)}{" "}
            <span class="faint">{since(call.startedAt ?? call.proposedAt)}</span>
          </dd>
          {decider !== undefined && (
            <>
              <dt>Decision</dt>
              <dd>{decider}</dd>
            </>
          )}
          {call.code !== undefined && (
            <>
              <dt>Error</dt>
              <dd>
                <code>{call.code}</code>
              </dd>
            </>
          )}
        </dl>
      </div>
      {call.look !== "proposed" && <WhyItMayRun call={call} />}
      <Times call={call} />
      <Well title="Arguments" text={isUnreadable(call) ? call.rawArgs : prettyJson(call.args)} />
      {call.changedArgs !== undefined && (
        <Well title="Arguments as edited" text={prettyJson(call.changedArgs)} />
      )}
      <div class="sec">
        <h3>Changed files</h3>
        {call.effects.length === 0 ? (
          <p class="faint">{call.settledAt === undefined ? "Known when the call ends." : "None."}</p>
        ) : (
          withoutFolders(call.effects).map(({ path, kind }) => (
            <p key={path}>
              <code>
                <VisibleText text={path} />
              </code>{" "}
              <span class="faint">{CHANGED[kind]}</span>
            </p>
          ))
        )}
      </div>
    </>
  );
}

function Times({ call }: { readonly call: CallView }) {
  const isRunning = call.look === "running";
  const now = new Date(useNow(isRunning || call.look === "waiting")).toISOString();
  const waited = waitedFor(call, now);
  const rows = [
    ["Queued", between(call.proposedAt, leftQueueAt(call))],
    ["Waited", waited],
    [isRunning ? "Running" : "Took", workOf(call, isRunning ? now : call.settledAt)],
  ] as const;
  const most = Math.max(1, ...rows.map(([, ms]) => ms));
  return (
    <div class="sec">
      <h3>Time</h3>
      <div class="tiny-bars">
        {rows.map(([name, ms]) => (
          <>
            <span key={name}>{name}</span>
            <span class="trk">
              <i
                class={isRunning && name === "Running" ? "live-bar" : ""}
                style={{ "--w": `${(100 * ms) / most}%` }}
              />
            </span>
            <span>{ms === 0 ? "none" : duration(ms)}</span>
          </>
        ))}
      </div>
    </div>
  );
}

/** Arguments that are not a JSON object are shown as the model wrote them. */
function isUnreadable({ args, rawArgs }: CallView): boolean {
  return Object.keys(args).length === 0 && !["", "{}"].includes(rawArgs.replace(/\s/g, ""));
}

function Well({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <div class="sec">
      <h3>
        {title}
        <span class="grow" />
        <CopyButton text={text} name={title.toLowerCase()} />
      </h3>
      <JsonWell text={text} label={title} />
    </div>
  );
}
