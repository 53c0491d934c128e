import type { ApprovalAnswer } from "@haft/core";
import { Icon } from "../parts/icon.js";
import { KeyHint } from "../parts/key-hint.js";
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
          class="btn lg quiet danger rare"
          disabled={isBusy || !draft.isReady.value}
          onClick={answer.stop}
        >
          Deny and stop the run <KeyHint keys="Shift N" />
        </button>
      )}
      <span class="grow" />
      <UnfoldFirst draft={draft} />
      {canRemember(draft) && (
        <button type="button" class="btn lg rare" disabled={!mayAllow} onClick={answer.remember}>
          {rememberWords(draft)} <kbd>R</kbd>
        </button>
      )}
      <button type="button" class="btn lg primary" disabled={!mayAllow} onClick={answer.allow}>
        {draft.isEdited.value ? "Review edited call" : "Allow once"} <kbd>Y</kbd>
      </button>
    </>
  );
}

/** On a phone, the answers that are given less often are rows below what they are about. */
export function RareAnswers({ draft, answer }: { readonly draft: Draft; readonly answer: Answering }) {
  const isBusy = isDeciding.value;
  return (
    <div class="rare-answers">
      {canRemember(draft) && (
        <button
          type="button"
          class="fold"
          disabled={!draft.mayAllow.value || isBusy}
          onClick={answer.remember}
        >
          <span class="grow">{rememberWords(draft)}</span>
          <Icon name="chev" />
        </button>
      )}
      {draft.item.runId !== undefined && (
        <button
          type="button"
          class="fold danger"
          disabled={isBusy || !draft.isReady.value}
          onClick={answer.stop}
        >
          <span class="grow">Deny and stop the run</span>
          <Icon name="chev" />
        </button>
      )}
    </div>
  );
}

function canRemember({ item, edited }: Draft): boolean {
  return item.request.grants.length > 0 && edited.value.size === 0;
}

function rememberWords({ scope, item }: Draft): string {
  if (scope.value === "project") return "Always allow";
  return item.runId === undefined ? "Allow for this session" : "Allow for this run";
}

/** Disables approval until everything was shown. */
function UnfoldFirst({ draft }: { readonly draft: Draft }) {
  const folded = draft.folded.value;
  if (folded.length === 0) return null;
  const rows = folded.reduce((sum, each) => sum + each.rows, 0);
  return (
    <button
      type="button"
      class="btn lg show-first"
      onClick={() => draft.unfold(folded.map(({ index }) => index))}
    >
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
