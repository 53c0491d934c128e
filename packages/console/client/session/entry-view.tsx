import { previewUndo } from "../history/changes-tab.js";
import { DiffSize } from "../parts/diff-view.js";
import { clock, duration, plural } from "../parts/duration.js";
import { Icon } from "../parts/icon.js";
import { Link } from "../parts/link.js";
import { Prose } from "../parts/prose.js";
import { StatusGlyph } from "../parts/status.js";
import { VisibleText } from "../parts/visible-text.js";
import { withoutFolders } from "../parts/without-folders.js";
import type { EndEntry, Entry, RunView, StepEntry } from "../state/run-view.js";
import { runLook, runWords } from "./run-words.js";
import { ToolCard } from "./tool-card.js";

export function EntryView({ entry, run }: { readonly entry: Entry; readonly run: RunView }) {
  switch (entry.kind) {
    case "said":
      return (
        <div class="said">
          <span>
            <span class="sr">You: </span>
            <VisibleText text={entry.text} />
          </span>
          <time dateTime={entry.at}>{clock(entry.at)}</time>
        </div>
      );
    case "step":
      return <Step entry={entry} run={run} />;
    case "retry":
      return (
        <p class="callout is-failed" role="alert">
          <Icon name="failed" />
          <VisibleText text={entry.text} />
        </p>
      );
    case "end":
      return <End entry={entry} run={run} />;
  }
}

function Step({ entry, run }: { readonly entry: StepEntry; readonly run: RunView }) {
  const calls = entry.calls.value;
  const isEmpty = entry.text.value === "" && calls.length === 0;
  if (isEmpty && !entry.isWriting.value) return null;
  return (
    <section class="step" aria-label={`Step ${entry.step}`}>
      <div class="step-line">
        Step {entry.step}
        {calls.length > 1 ? `, ${calls.length} calls` : ""}
        <time dateTime={entry.at}>{clock(entry.at)}</time>
      </div>
      {entry.text.value !== "" && <Prose text={entry.text.value} />}
      {isEmpty && (
        <p class="thinking">
          <StatusGlyph look="running" />
          Thinking
        </p>
      )}
      <div class={calls.length > 1 ? "side-by-side" : "step"}>
        {calls.map((call) => (
          <ToolCard key={call.peek().callId} call={call} run={run} />
        ))}
      </div>
    </section>
  );
}

const MARKS = { create: "A", modify: "M", delete: "D", move: "R" } as const;

function End({ entry, run }: { readonly entry: EndEntry; readonly run: RunView }) {
  const look = runLook("done", entry.reason);
  const byPath = new Map(withoutFolders(entry.effects).map((effect) => [effect.path, effect]));
  const isSaidAbove = run.entries.value.some(
    (each) => each.kind === "step" && each.text.value === entry.summary,
  );
  return (
    <section class="done" aria-label="Summary">
      <div class="done-top">
        <h2>
          <StatusGlyph look={look} />
          {runWords("done", entry.reason)}
        </h2>
        {entry.problem !== undefined && (
          <p class="problem">
            <VisibleText text={entry.problem} />
          </p>
        )}
        {entry.summary !== "" && !isSaidAbove && <Prose text={entry.summary} />}
      </div>
      {byPath.size > 0 && (
        <ul class="filelist" aria-label="Changed files">
          {[...byPath.values()].map((effect) => (
            <li key={effect.path}>
              <span class={`mark ${MARKS[effect.kind].toLowerCase()}`}>{MARKS[effect.kind]}</span>
              <Link class="grow cut" screen="files" item={effect.path}>
                <VisibleText text={effect.path} />
              </Link>
              <DiffSize changes={[effect]} />
            </li>
          ))}
        </ul>
      )}
      <div class="done-foot">
        <span>{plural(entry.calls, "call")}</span>
        <span>{duration(entry.activeMs)} at work</span>
        <span class="grow" />
        {byPath.size > 0 && !run.isReplay && (
          <button
            type="button"
            class="btn quiet"
            onClick={() => previewUndo(run, entry.effects, "Undo this run")}
          >
            <Icon name="undo" class="i-s" />
            Undo
          </button>
        )}
        {byPath.size > 0 ? (
          <Link class="btn" screen="history" item={run.runId} tab="changes">
            Review changes
          </Link>
        ) : (
          <Link class="btn" screen="history" item={run.runId}>
            Review run
          </Link>
        )}
      </div>
    </section>
  );
}
