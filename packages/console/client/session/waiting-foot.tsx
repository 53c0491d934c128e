import type { ApprovalRequest } from "@haft/core";
import { parseDiff } from "../parts/parse-diff.js";
import { useReadiness } from "../parts/use-readiness.js";
import { VisibleText } from "../parts/visible-text.js";
import type { CallView } from "../state/call-view.js";
import { decide, isDeciding, review } from "../state/review.js";
import { areLettersOn } from "../state/single-letters.js";

/** Offers the answers of a card. Allow is offered only if the card can show the whole change. */
export function WaitingFoot({
  call,
  approval,
}: {
  readonly call: CallView;
  readonly approval: ApprovalRequest;
}) {
  const rows = approval.changes.reduce((sum, { diff }) => sum + parseDiff(diff ?? "").length, 0);
  const isWhole = rows <= MAX_ROWS && mainText(call).length <= MAX_CHARS;
  const id = approval.stepId;
  const isReady = useReadiness(id);
  const mayAnswer = isReady && !isDeciding.value;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.metaKey || event.ctrlKey || event.altKey || !mayAnswer || !areLettersOn.value) return;
    if (event.key === "y" && isWhole) void decide({ id, answer: { approved: true } });
    else if (event.key === "n") void decide({ id, answer: { approved: false } });
    else if (event.key === "v") review(id);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <>
      <p class="card-note">
        <VisibleText text={`Asks because ${approval.reason}. ${RISKS[approval.risk]} risk.`} />
      </p>
      <div class="card-act" role="group" aria-label="Answer" onKeyDown={onKeyDown}>
        <button type="button" class="btn" onClick={() => review(id)}>
          Review <kbd>V</kbd>
        </button>
        <span class="grow" />
        <button
          type="button"
          class="btn danger"
          disabled={!mayAnswer}
          onClick={() => void decide({ id, answer: { approved: false } })}
        >
          Deny <kbd>N</kbd>
        </button>
        {isWhole && (
          <button
            type="button"
            class="btn primary"
            disabled={!mayAnswer}
            onClick={() => void decide({ id, answer: { approved: true } })}
          >
            Allow once <kbd>Y</kbd>
          </button>
        )}
      </div>
    </>
  );
}

export const RISKS = { low: "Low", medium: "Medium", high: "High" } as const;
const MAX_ROWS = 40;
const MAX_CHARS = 800;

function mainText({ args }: CallView): string {
  return JSON.stringify(args);
}
