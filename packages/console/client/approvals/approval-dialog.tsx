import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { ApprovalItem } from "../../src/protocol.js";
import { sizeWords } from "../parts/change-words.js";
import { ago } from "../parts/duration.js";
import { Icon } from "../parts/icon.js";
import { useModal } from "../parts/use-modal.js";
import { VisibleText } from "../parts/visible-text.js";
import { isTyping } from "../state/keyboard.js";
import { decideProblem, isWaiting, review, reviewed, reviewedItem, reviewNext } from "../state/review.js";
import { areLettersOn } from "../state/single-letters.js";
import { approvals, decisions, user } from "../state/workspace.js";
import { Answers, answers, CloseButton, RareAnswers } from "./answers.js";
import { ArgumentsPane } from "./arguments-pane.js";
import { Draft } from "./draft.js";
import { FactBar, PreviewPane } from "./preview-pane.js";
import { RememberPane } from "./remember-pane.js";

export function ApprovalDialog() {
  const item = reviewedItem.value;
  return item === undefined ? null : <OpenDialog key={item.id} item={item} />;
}

function OpenDialog({ item }: { readonly item: ApprovalItem }) {
  const dialog = useModal();
  const title = useRef<HTMLHeadingElement>(null);
  const draft = useMemo(() => new Draft(item), [item.id]);
  useLayoutEffect(() => {
    // A stray Enter meant for something else must do nothing.
    title.current?.focus();
    return () => draft.close();
  }, []);
  const decided = decisions.value[item.id];
  const isOpen = isWaiting(item.id);
  const answer = answers(draft);
  return (
    <dialog
      ref={dialog}
      class="dialog"
      aria-labelledby="dialog-title"
      onCancel={(event) => {
        event.preventDefault();
        review(undefined);
      }}
      onClose={() => reviewed.value === item.id && review(undefined)}
      onKeyDown={(event) => onKey(event, draft)}
    >
      <DialogHead item={item} titleRef={title} />
      {(!isOpen || decideProblem.value !== undefined) && (
        <p class="banner" role="alert">
          <Icon name="waiting" />
          <b>
            <VisibleText
              text={[isOpen ? "" : decidedWords(decided), decideProblem.value].filter(Boolean).join(" ")}
            />
          </b>
        </p>
      )}
      <FactBar draft={draft} />
      <div class="scroll dlg-body" tabIndex={-1}>
        <PreviewPane draft={draft} />
        <div class="dlg-cols">
          <ArgumentsPane draft={draft} />
          <RememberPane draft={draft} />
        </div>
        {isOpen && <RareAnswers draft={draft} answer={answer} />}
      </div>
      <div class="dlg-foot">{isOpen ? <Answers draft={draft} answer={answer} /> : <CloseButton />}</div>
    </dialog>
  );
}

function decidedWords(decided: { readonly by: string; readonly approved: boolean } | undefined): string {
  if (decided === undefined) return "This no longer waits for an answer.";
  const who = decided.by === user.value ? "you in another window" : decided.by;
  return `Already ${decided.approved ? "allowed" : "denied"} by ${who}.`;
}

interface HeadProps {
  readonly item: ApprovalItem;
  readonly titleRef: preact.RefObject<HTMLHeadingElement | null>;
}

function DialogHead({ item, titleRef }: HeadProps) {
  const items = approvals.value ?? [];
  const at = items.findIndex(({ id }) => id === item.id);
  const step = /:(\d+):\d+$/.exec(item.request.callId)?.[1];
  return (
    <div class="dlg-head">
      <span class="glyph">
        <Icon name={item.request.changes.length > 0 ? "edit" : "play"} />
      </span>
      <div class="grow">
        <h2 id="dialog-title" tabIndex={-1} ref={titleRef} class="cut">
          <VisibleText text={questionOf(item)} />
        </h2>
        <p class="sub cut">
          <code>
            <VisibleText text={item.request.tool} />
          </code>
          <VisibleText text={item.task === undefined ? "" : ` in “${item.task.split("\n")[0]}”`} />
          {step !== undefined && `, step ${step}`}, waiting for {ago(item.requestedAt)}
          <span class="on-phone">
            {at === -1 || items.length === 1 ? "" : `, ${at + 1} of ${items.length}`}
          </span>
        </p>
      </div>
      {items.length > 1 && at !== -1 && (
        <span class="row">
          <span class="faint place">
            {at + 1} of {items.length}
          </span>
          <button type="button" class="btn quiet icon" aria-label="Previous" onClick={() => reviewNext(-1)}>
            <Icon name="up" />
          </button>
          <button type="button" class="btn quiet icon" aria-label="Next" onClick={() => reviewNext(1)}>
            <Icon name="down" />
          </button>
        </span>
      )}
      <button type="button" class="btn quiet" onClick={() => review(undefined)}>
        Later <kbd>Esc</kbd>
      </button>
    </div>
  );
}

const VERBS = { create: "Create", modify: "Change", delete: "Delete", move: "Move" } as const;

export function questionOf({ request: { changes, args, tool } }: Pick<ApprovalItem, "request">): string {
  const [first] = changes;
  if (first !== undefined && changes.length === 1)
    return `${VERBS[first.kind]} ${first.entries === undefined ? "" : "folder "}${first.path.split("/").at(-1)}?`;
  if (first !== undefined) return `Change ${sizeWords(changes)}?`;
  const what = args.command ?? args.url ?? args.path;
  return typeof what === "string" ? `Run ${what.split("\n")[0]?.slice(0, 80)}?` : `Run ${tool}?`;
}

/** Letter keys act only while no field has the focus. */
function onKey(event: KeyboardEvent, draft: Draft): void {
  const answer = answers(draft);
  if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) {
    event.preventDefault();
    answer.allow();
    return;
  }
  if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return;
  if (!areLettersOn.value) return;
  const act = {
    y: answer.allow,
    r: answer.remember,
    n: answer.deny,
    N: answer.stop,
    j: () => reviewNext(1),
    k: () => reviewNext(-1),
    f: () => document.getElementById("feedback")?.focus(),
    e: () => document.querySelector<HTMLElement>(".dlg-cols .input")?.focus(),
  }[event.key];
  if (act === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  act();
}
