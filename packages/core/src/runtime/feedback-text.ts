import { renderForHuman } from "@haft/text";

/**
 * What a person said about a refusal, to go behind it; "" when they said nothing. It comes from a form, a client or
 * another program and ends up in terminals, so nothing in it acts.
 */
export function feedbackText(feedback: string | undefined): string {
  return feedback === undefined || feedback === ""
    ? ""
    : `: ${renderForHuman(feedback, { maxChars: MAX_CHARS })}`;
}

const MAX_CHARS = 4_000;
