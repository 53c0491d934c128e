import type { ChangeRecord } from "@haft/core/journal";
import { useLoaded } from "../pages/use-loaded.js";
import { since } from "../parts/duration.js";
import { Icon } from "../parts/icon.js";
import { Link } from "../parts/link.js";
import { StatusGlyph } from "../parts/status.js";
import { VisibleText } from "../parts/visible-text.js";
import { CHANGED } from "../session/call-words.js";
import { isInspecting } from "../state/inspected.js";
import { undoCount } from "../state/undoing.js";
import { fileChanges, runs } from "../state/workspace.js";
import { runOf } from "./file-authors.js";

const LOOKS = { done: "ok", undone: "denied", aborted: "denied", unfinished: "unknown" } as const;
const STATES = {
  done: "",
  undone: ", undone",
  aborted: ", not applied",
  unfinished: ", stopped halfway. Look before repeating it",
} as const;

/** Lists who changed a file, newest first: calls of models and saves by people. */
export function FileChanges({ path }: { readonly path: string }) {
  const { value } = useLoaded<readonly ChangeRecord[]>("changes", undoCount.value + fileChanges.value);
  const records = (value.value ?? []).filter(({ changes }) => changes.some((each) => isAbout(each, path)));
  return (
    <aside class="inspect" aria-label="Changes to this file">
      <div class="panel-head">
        <h2>Changes to this file</h2>
        <span class="grow" />
        <button
          type="button"
          class="btn quiet icon"
          aria-label="Close changes"
          title="Close  ]"
          onClick={() => (isInspecting.value = false)}
        >
          <Icon name="panel" />
        </button>
      </div>
      <div class="scroll">
        {value.value !== undefined && records.length === 0 && (
          <p class="empty">Calls that change this file, and your own saves, are listed here.</p>
        )}
        <ul class="file-changes">
          {[...records].reverse().map((record) => (
            <Change key={record.seq} record={record} path={path} />
          ))}
        </ul>
      </div>
    </aside>
  );
}

function isAbout(change: ChangeRecord["changes"][number], path: string): boolean {
  return change.path === path || change.from === path;
}

function Change({ record, path }: { readonly record: ChangeRecord; readonly path: string }) {
  const { callId, tool, at, state, undoes, changes } = record;
  const kind = changes.find((each) => isAbout(each, path))?.kind ?? "modify";
  const runId = runOf(callId);
  const task = runs.value?.find((run) => run.runId === runId)?.task.split("\n")[0];
  return (
    <li>
      <StatusGlyph look={LOOKS[state]} />
      <span class="grow">
        <code>
          <VisibleText text={tool} />
        </code>{" "}
        {undoes === undefined ? CHANGED[kind] : "undid a call"}
        <span class="sub">
          <VisibleText text={`${since(at)}${STATES[state]}${task === undefined ? "" : `, in “${task}”`}`} />
        </span>
      </span>
      {runId !== undefined && (
        <Link class="btn quiet sm" screen="history" item={runId}>
          Run
        </Link>
      )}
    </li>
  );
}
