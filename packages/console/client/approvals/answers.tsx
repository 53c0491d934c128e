import type { ApprovalAnswer } from "@haft/core";
import { decide, isDeciding, review } from "../state/review.js";
import type { Draft } from "./draft.js";

type Answering = ReturnType<typeof answers>;

export function answers(draft: Draft) {
  const { item } = draft;
  const modified = () => (draft.edited.value.size > 0 ? { modifiedArgs: draft.args.value } : {});
  const feedback = () =>
    draft.feedback.value.trim() === "" ? {} : { feedback: draft.feedback.value.trim() };
  const send = (answer: ApprovalAnswer) => void decide({ id: item.id, answer });
  const grant = item.request.grants.at(-1);
  return {
    allow: () => draft.mayAllow.value && send({ approved: true, ...modified() }),
    remember: () =>
      draft.mayAllow.value &&
      grant !== undefined &&
      draft.edited.value.size === 0 &&
      send({ approved: true, remember: { grant: grant.id, scope: draft.scope.value } }),
    deny: () => draft.isReady.value && send({ approved: false, ...feedback() }),
    stop: () =>
      draft.isReady.value &&
      item.runId !== undefined &&
      send({ approved: false, abort: true, ...feedback() }),
  };
}

export function Answers({ draft, answer }: { readonly draft: Draft; readonly answer: Answering }) {
  const isBusy = isDeciding.value;
  const mayAllow = draft.mayAllow.value && !isBusy;
  const canRemember = draft.item.request.grants.length > 0 && draft.edited.value.size === 0;
  return (
    <>
      <button
        type="button"
        class="btn lg danger"
        disabled={isBusy || !draft.isReady.value}
        onClick={answer.deny}
      >
        Deny <kbd>N</kbd>
      </button>
      {draft.item.runId !== undefined && (
        <button
          type="button"
          class="btn lg quiet danger"
          disabled={isBusy || !draft.isReady.value}
          onClick={answer.stop}
        >
          Deny and stop the run <kbd>⇧N</kbd>
        </button>
      )}
      <span class="grow" />
      <UnfoldFirst draft={draft} />
      {canRemember && (
        <button type="button" class="btn lg" disabled={!mayAllow} onClick={answer.remember}>
          {rememberWords(draft)} <kbd>R</kbd>
        </button>
      )}
      <button type="button" class="btn lg primary" disabled={!mayAllow} onClick={answer.allow}>
        {draft.isEdited.value ? "Review edited call" : "Allow once"} <kbd>Y</kbd>
      </button>
    </>
  );
}

function rememberWords({ scope, item }: Draft): string {
  if (scope.value === "project") return "Always allow";
  return item.runId === undefined ? "Allow for this session" : "Allow for this run";
}

/** Nothing can be allowed that has not been shown. */
function UnfoldFirst({ draft }: { readonly draft: Draft }) {
  const folded = draft.folded.value;
  if (folded.length === 0) return null;
  const rows = folded.reduce((sum, each) => sum + each.rows, 0);
  return (
    <button type="button" class="btn lg" onClick={() => draft.unfold(folded.map(({ index }) => index))}>
      Show all {rows.toLocaleString()} lines first
    </button>
  );
}

export function CloseButton() {
  return (
    <>
      <span class="grow" />
      <button type="button" class="btn lg primary" onClick={() => review(undefined)}>
        Close
      </button>
    </>
  );
}
