import { VisibleText } from "../parts/visible-text.js";
import type { Draft } from "./draft.js";

/** Shows the exact rule that would be saved, and a field for feedback to the model. */
export function RememberPane({ draft }: { readonly draft: Draft }) {
  const grant = draft.item.request.grants.at(-1);
  const scope = draft.scope.value;
  const hasRun = draft.item.runId !== undefined;
  return (
    <section aria-label="Remember and feedback">
      <div class="sec-head">
        <h3>If you remember it</h3>
        <span class="grow" />
        {grant !== undefined && (
          <div class="seg" role="group" aria-label="How long">
            <button
              type="button"
              aria-pressed={scope === "session"}
              onClick={() => (draft.scope.value = "session")}
            >
              {hasRun ? "This run" : "This session"}
            </button>
            <button
              type="button"
              aria-pressed={scope === "project"}
              onClick={() => (draft.scope.value = "project")}
            >
              Always
            </button>
          </div>
        )}
      </div>
      {grant === undefined ? (
        <p class="faint">This call cannot be remembered. You are asked every time.</p>
      ) : (
        <>
          <dl class="rule well">
            <dt>allow</dt>
            <dd>
              <VisibleText text={grant.label} />
            </dd>
            <dt>until</dt>
            <dd>
              {scope === "project"
                ? "you revoke it under Rules"
                : hasRun
                  ? "this run ends"
                  : "its session ends"}
            </dd>
          </dl>
          <p class="faint">
            {draft.edited.value.size > 0
              ? "Edited calls are allowed once and never remembered."
              : "Exactly this rule is saved, nothing wider."}
          </p>
        </>
      )}
      <div class="field">
        <label htmlFor="feedback">
          <span class="plain-label">Tell the model</span>
          <span class="hint">
            goes with a denial <kbd>F</kbd>
          </span>
        </label>
        <textarea
          id="feedback"
          class="input"
          rows={2}
          placeholder="For example: return an empty list instead of throwing"
          value={draft.feedback.value}
          onInput={({ currentTarget }) => (draft.feedback.value = currentTarget.value)}
        />
      </div>
    </section>
  );
}
