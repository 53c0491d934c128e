import type { AuditRecord, AuditVerdict } from "@haft/core/stores";
import { useSignal } from "@preact/signals";
import { duration } from "../parts/duration.js";
import { Icon } from "../parts/icon.js";
import { ListSkeleton } from "../parts/list-skeleton.js";
import { Problem } from "../parts/problem.js";
import { StatusChip, StatusGlyph } from "../parts/status.js";
import { VisibleText } from "../parts/visible-text.js";
import { mainArgument } from "../session/call-words.js";
import { get, pathOf, wordsOf } from "../state/api.js";
import { useLoaded } from "./use-loaded.js";

/** Lists decisions and who made them. Each record contains the hash of the previous one. */
export function AuditScreen() {
  const { value, problem } = useLoaded<readonly AuditRecord[]>("audit");
  const sought = useSignal("");
  const verdict = useSignal<AuditVerdict | undefined>(undefined);
  const verify = async () => {
    try {
      verdict.value = await get<AuditVerdict>("verify");
    } catch (thrown) {
      problem.value = wordsOf(thrown);
    }
  };
  const records = value.value?.filter((record) =>
    JSON.stringify(record).toLowerCase().includes(sought.value.toLowerCase()),
  );
  return (
    <>
      <div class="run-head">
        <h1>Audit</h1>
        {verdict.value !== undefined && (
          <StatusChip look={verdict.value.intact ? "ok" : "failed"}>
            {verdict.value.intact
              ? `${verdict.value.records} records intact`
              : (verdict.value.problem ?? "Damaged")}
          </StatusChip>
        )}
        <span class="grow" />
        <label class="search">
          <Icon name="search" class="i-s" />
          <span class="sr">Filter</span>
          <input
            type="search"
            placeholder="Filter"
            value={sought.value}
            onInput={({ currentTarget }) => (sought.value = currentTarget.value)}
          />
        </label>
        <button type="button" class="btn" onClick={() => void verify()}>
          Verify
        </button>
        <a class="btn" href={pathOf("export")} download="haft-audit.jsonl">
          Export
        </a>
      </div>
      <div class="scroll" tabIndex={0} role="region" aria-label="Audit log">
        <Problem text={problem.value} />
        {records === undefined && <ListSkeleton />}
        {records?.length === 0 && (
          <p class="empty">No decision matches. Approvals, denials and changes are recorded here.</p>
        )}
        {records !== undefined && records.length > 0 && <Records records={records.slice(0, MOST)} />}
        {records !== undefined && records.length > MOST && (
          <p class="empty">
            The newest {MOST} of {records.length.toLocaleString()}. Filter, or export all of them.
          </p>
        )}
      </div>
    </>
  );
}

const MOST = 500;

function Records({ records }: { readonly records: readonly AuditRecord[] }) {
  return (
    <table class="plain-table audit stacked">
      <thead>
        <tr>
          <th>#</th>
          <th>Time</th>
          <th>Call</th>
          <th>Decision</th>
          <th>Why</th>
        </tr>
      </thead>
      <tbody>
        {records.map((record) => (
          <tr key={record.seq}>
            <td class="num">{record.seq}</td>
            <td class="num">{new Date(record.at).toLocaleString()}</td>
            <td>
              <code>
                <VisibleText text={record.tool} />
              </code>{" "}
              <span class="faint">
                <VisibleText text={mainArgument(record.args).slice(0, 120)} />
              </span>
            </td>
            <td>
              <span class="row">
                <StatusGlyph look={lookOf(record)} />
                {decisionOf(record)}
              </span>
            </td>
            <td class="faint">
              <VisibleText text={record.because} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function lookOf({ verdict, outcome }: AuditRecord): "ok" | "failed" | "denied" {
  if (outcome !== undefined) return outcome.status === "ok" ? "ok" : "failed";
  return verdict === "allow" ? "ok" : "denied";
}

/** An allowed call has a second record with its outcome. */
function decisionOf({ verdict, decider, outcome }: AuditRecord): string {
  if (outcome === undefined)
    return `${verdict === "allow" ? "allowed" : "denied"} by ${deciderWords(decider)}`;
  const how =
    outcome.status === "ok"
      ? "succeeded"
      : (outcome.code ?? outcome.status).toLowerCase().replaceAll("_", " ");
  return `${how}, ${duration(outcome.durationMs)}`;
}

function deciderWords({ how, who }: AuditRecord["decider"]): string {
  if (how === "person") return who ?? "a person";
  if (how === "grant") return "a remembered answer";
  return who ?? `a ${how}`;
}
