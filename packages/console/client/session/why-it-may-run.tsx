import type { AuditRecord } from "@haft/core/stores";
import { useLoaded } from "../pages/use-loaded.js";
import { Icon } from "../parts/icon.js";
import { VisibleText } from "../parts/visible-text.js";
import type { CallView } from "../state/call-view.js";
import { explain } from "../state/explained.js";
import { user } from "../state/workspace.js";
import { isStopped } from "./call-words.js";

/** Shows the decision about a call, who made it and why. Reads the audit log, so it covers past calls too. */
export function WhyItMayRun({ call }: { readonly call: CallView }) {
  const query = { call: call.callId };
  const { value } = useLoaded<readonly AuditRecord[]>("decisions", VERSIONS.indexOf(call.look), query);
  const decisions = value.value?.filter(({ callId }) => callId === call.callId) ?? [];
  return (
    <div class="sec">
      <h3>{titleOf(call)}</h3>
      <ul class="why">
        {call.approval !== undefined && (
          <Line
            icon="waiting"
            text={`${call.look === "waiting" ? "" : "It asked: "}${call.approval.reason}`}
          />
        )}
        {decisions.map((record) => (
          <Line
            key={record.seq}
            icon={record.verdict === "allow" ? "check" : "denied"}
            text={wordsOf(record, call.approval !== undefined)}
          />
        ))}
        {value.value !== undefined && decisions.length === 0 && isRead(call) && (
          <Line icon="check" text="The role allows it without asking, and it changes nothing." />
        )}
      </ul>
      <button
        type="button"
        class="btn quiet sm explain-link"
        onClick={() => explain({ tool: call.tool, args: call.changedArgs ?? call.args })}
      >
        Explain this call
      </button>
    </div>
  );
}

function titleOf(call: CallView): string {
  if (call.look === "waiting") return "Why it asks";
  if (isStopped(call)) return "Why it might run";
  const isRefused = call.look === "denied" || (call.look === "failed" && call.startedAt === undefined);
  return isRefused ? "Why it did not run" : "Why it may run";
}

/** A call that ran without a recorded decision. Other calls may have failed before any decision. */
function isRead({ look, approval }: CallView): boolean {
  return approval === undefined && (look === "ok" || look === "running");
}

/** Reads the decisions again when the state of the call has changed. */
const VERSIONS: readonly CallView["look"][] = [
  "proposed",
  "waiting",
  "running",
  "ok",
  "failed",
  "denied",
  "unknown",
];

function Line({ icon, text }: { readonly icon: "waiting" | "check" | "denied"; readonly text: string }) {
  return (
    <li>
      <Icon name={icon} class="i-s" />
      <span>
        <VisibleText text={sentence(text)} />
      </span>
    </li>
  );
}

function wordsOf({ verdict, decider, because, rule }: AuditRecord, wasAsked: boolean): string {
  const done = verdict === "allow" ? "Allowed" : "Denied";
  const by = rule === undefined ? "" : ` (${rule})`;
  switch (decider.how) {
    case "person":
      return `${done} by ${decider.who === user.value ? "you" : (decider.who ?? "a person")}`;
    case "grant":
      return `${done} by an answer that was remembered: ${because}`;
    case "timeout":
      return "Nobody answered in time";
    case "none":
      return wasAsked ? "Nobody could be asked" : `${because}${by}`;
    default:
      return `${because}${by}`;
  }
}

/** Keeps the spelling of tool names. */
export function sentence(text: string): string {
  const first = /^[a-z]+[_.\d]/.test(text) ? text.slice(0, 1) : text.slice(0, 1).toUpperCase();
  return `${first}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
}
