import { sizeWords } from "../parts/change-words.js";
import { ChangeDiff, DiffSize } from "../parts/diff-view.js";
import { Icon } from "../parts/icon.js";
import { VisibleText } from "../parts/visible-text.js";
import { WhatWouldRun } from "../session/waiting-body.js";
import { RISKS } from "../session/waiting-foot.js";
import { sentence } from "../session/why-it-may-run.js";
import type { Draft } from "./draft.js";
import { OnDisk } from "./on-disk.js";

export function FactBar({ draft }: { readonly draft: Draft }) {
  const { request } = draft.item;
  const changes = draft.changes.value;
  return (
    <dl class="factbar">
      <div>
        <dt>Risk</dt>
        <dd>
          <RiskBars risk={request.risk} />
          {RISKS[request.risk]}
        </dd>
      </div>
      <div>
        <dt>Size</dt>
        <dd>
          {sizeWords(changes)}
          <DiffSize changes={changes} />
        </dd>
      </div>
      <div class="grow">
        <dt>Why it asks</dt>
        <dd class="why-text">
          <VisibleText text={sentence(request.reason)} />
        </dd>
      </div>
      <OnDisk draft={draft} />
    </dl>
  );
}

const LEVELS = { low: 1, medium: 2, high: 3 } as const;

function RiskBars({ risk }: { readonly risk: keyof typeof LEVELS }) {
  return (
    <span class={`risk is-${risk === "high" ? "failed" : "waiting"}`} aria-hidden="true">
      {[1, 2, 3].map((level) => (
        <i key={level} class={level <= LEVELS[risk] ? "on" : ""} />
      ))}
    </span>
  );
}

/** Shows the exact effect of the call: its diffs, or the command as it would run. */
export function PreviewPane({ draft }: { readonly draft: Draft }) {
  const changes = draft.changes.value;
  const { said } = draft.item;
  const note = draft.isRehearsing.value
    ? "Rehearsing…"
    : draft.preview.value === undefined
      ? "Rehearsed"
      : "Rehearsed with your edit";
  return (
    <section class="preview" aria-label="What would happen">
      {said !== undefined && (
        <p class="model-says" tabIndex={0}>
          <span class="label">The model says</span> <VisibleText text={said} />
        </p>
      )}
      <div class={draft.isOutdated.value ? "outdated" : undefined}>
        {/* Covers the outdated diffs, so that the form below does not move. */}
        {draft.isOutdated.value && (
          <p class="callout is-failed" role={draft.problem.value === undefined ? undefined : "alert"}>
            <Icon name="failed" />
            <VisibleText text={draft.problem.value ?? "No preview until the arguments are valid JSON."} />
          </p>
        )}
        <div class="previews" inert={draft.isOutdated.value}>
          {changes.map((change, index) => (
            <ChangeDiff
              key={`${index} ${change.path}`}
              change={change}
              note={note}
              isSplit
              folding={{
                isWhole: draft.folded.value.every((each) => each.index !== index),
                unfold: () => draft.unfold([index]),
              }}
            />
          ))}
          {changes.length === 0 && <WhatWouldRun args={draft.args.value} look="term command" />}
        </div>
      </div>
    </section>
  );
}
