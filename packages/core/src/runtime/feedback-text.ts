import { renderForHuman } from "@haft/text";

/**
 * Returns the approver's feedback on a refusal as a suffix; "" without feedback. It comes from a form, a client or
 * another program and is shown in terminals, so escape sequences are rendered harmless.
 */
export function feedbackText(feedback: string | undefined): string {
  return feedback === undefined || feedback === ""
    ? ""
    : `: ${renderForHuman(feedback, { maxChars: MAX_CHARS })}`;
}

const MAX_CHARS = 4_000;
