import { type ApprovalRequest, broadestGrant, type Grant } from "@haft/core";
import { formatApproval } from "@haft/prompt-formatter";
import type { ApprovalResponse } from "@haft/runtime-node";
import { renderInline } from "@haft/text";
import type { CliIo } from "../cli-io.js";
import { coloursFor } from "../output/colours.js";
import { askLine } from "./ask-line.js";
import { colourDiff } from "./colour-diff.js";
import { discardTypedAhead } from "./discard-typed-ahead.js";
import { canEdit, editArguments } from "./edit-arguments.js";

/** What a person said: an answer to the request, and perhaps that all of it is to stop. */
export interface TerminalAnswer extends ApprovalResponse {
  readonly abort?: boolean;
}

export interface AskOptions {
  /** Aborts when the answer no longer matters. */
  readonly signal: AbortSignal;
  /** Whether there is a run that can be stopped. */
  readonly canStop?: boolean;
  /** Ctrl-C while the question stands. Without it that is a denial. */
  readonly onInterrupt?: (() => void) | undefined;
}

/** Shows what would happen and asks until the answer is clear. No answer is a denial. */
export async function askInTerminal(
  request: ApprovalRequest,
  io: CliIo,
  options: AskOptions,
): Promise<TerminalAnswer> {
  const { stderr } = io;
  stderr.write(`\n${colourDiff(formatApproval(request), coloursFor(stderr, io.env))}\n\n`);
  const offered: Offered = {
    grant: broadestGrant(request),
    canEdit: canEdit(request, io),
    canStop: options.canStop === true,
  };
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const typed = await askAfresh(questionFor(offered), io, options);
    if (typed === undefined) return { approved: false };
    const answer = await answerFor(typed.trim().toLowerCase(), offered, { request, io, options });
    if (answer !== undefined) return answer;
  }
  return { approved: false };
}

const MAX_ATTEMPTS = 10;

/**
 * SECURITY: the answer is typed by somebody who could see what it is about. The request is on the screen when this is called;
 * what was typed before is thrown away, and only then the question stands there to be answered.
 */
async function askAfresh(question: string, io: CliIo, options: AskOptions): Promise<string | undefined> {
  const { isInterrupted } = await discardTypedAhead(io, options);
  if (isInterrupted && options.onInterrupt === undefined) return undefined;
  // As at the question itself: whoever hears of it takes the question back.
  if (isInterrupted) options.onInterrupt?.();
  return askLine(io, { ...options, question });
}

interface Offered {
  readonly grant: Grant | undefined;
  readonly canEdit: boolean;
  readonly canStop: boolean;
}

interface Asked {
  readonly request: ApprovalRequest;
  readonly io: CliIo;
  readonly options: AskOptions;
}

function questionFor({ grant, canEdit, canStop }: Offered): string {
  const edit = canEdit ? ", e = edit the arguments" : "";
  const stop = canStop ? ", s = no, and stop" : "";
  const choices = `Approve? y = yes, n = no${edit}${stop}`;
  if (grant === undefined) return `${choices}\n> `;
  const rule = renderInline(grant.label);
  return `${choices},\na = always for this project: ${rule} (until haft policy revoke)\n> `;
}

/** Undefined when that is no answer here, so that the question is put again. */
async function answerFor(typed: string, offered: Offered, asked: Asked): Promise<TerminalAnswer | undefined> {
  const { io, options, request } = asked;
  switch (typed) {
    case "y":
    case "yes":
      return { approved: true };
    case "n":
    case "no":
      return refusal(await askWhy(asked));
    case "s":
      return offered.canStop ? { ...refusal(await askWhy(asked)), abort: true } : undefined;
    case "a":
      if (offered.grant === undefined) return undefined;
      return { approved: true, remember: { grant: offered.grant.id, scope: "project" } };
    case "e": {
      if (!offered.canEdit) return undefined;
      const modifiedArgs = await editArguments(request, io, options);
      if (modifiedArgs !== undefined) return { approved: true, modifiedArgs };
      io.stderr.write("That is not a JSON object.\n");
    }
  }
  return undefined;
}

function askWhy({ io, options }: Asked): Promise<string | undefined> {
  return askLine(io, { ...options, question: "Why? (told to the model, may be empty) " });
}

function refusal(feedback: string | undefined): TerminalAnswer {
  return { approved: false, ...(feedback === undefined || feedback === "" ? {} : { feedback }) };
}
