import type { ApprovalRequest } from "./approval.js";
import {
  type ApprovalAnswer,
  type Decider,
  isApproved,
  type RememberGrant,
  type RememberScope,
} from "./approval-answer.js";
import { cannotRemember } from "./approval-errors.js";
import { broadestGrant } from "./approval-request.js";
import { canonicalJson } from "./canonical-json.js";

/** An answer after validation: `remember` names a grant that was offered. */
export type ReadAnswer = Omit<ApprovalAnswer, "remember"> & { readonly remember?: RememberGrant };

/** Validates an answer from any source. Never throws: an answer it does not understand denies. */
export function readAnswer(
  answer: unknown,
  request: ApprovalRequest,
  { hidesArguments = false, from }: ShownAs = {},
): ReadAnswer {
  if (typeof answer !== "object" || answer === null)
    return denial("the approver's answer was not understood");
  const given = ownMembers(answer);
  if (given.stepId !== undefined && given.stepId !== request.stepId)
    return denial("the answer was for another request");
  const common = { ...feedbackIn(given), ...deciderIn(given, from) };
  if (!isApproved(given)) return { approved: false, ...common, ...failureIn(given, from), ...abortIn(given) };
  // The kernel compares the arguments itself: it knows those that the request hides.
  const isEdited =
    from === undefined ? isModified(given.modifiedArgs, request) : given.modifiedArgs !== undefined;
  const problem = rememberProblem(given.remember, request);
  // An edit that changed nothing returns to the question.
  if (!isEdited && given.showAgain === true) return { approved: true, showAgain: true, ...common };
  const again = showsAgain(given);
  const mayApprove = !isEdited || again.showAgain === "if-changed";
  if (problem !== undefined && mayApprove) return denial(problem);
  const chosen = mayApprove ? chosenGrant(given.remember, request) : undefined;
  const remember = chosen === undefined ? {} : { remember: chosen };
  if (!isEdited) return { approved: true, ...common, ...remember };
  if (hidesArguments) return denial("arguments that hold a hidden secret cannot be changed here");
  return { approved: true, modifiedArgs: given.modifiedArgs, ...again, ...remember, ...common };
}

function showsAgain({ showAgain, remember }: Given): Pick<ApprovalAnswer, "showAgain"> {
  if (showAgain === true) return { showAgain };
  // The grants on offer describe the call that was shown. A call that was changed is shown with its own grants.
  return showAgain === "if-changed" || wantsGrant(remember) ? { showAgain: "if-changed" } : {};
}

/** Throws if an approval asks to save a grant that was not offered, so that its sender learns of it. */
export function assertRemember(answer: unknown, request: ApprovalRequest): void {
  if (!isApproved(answer)) return;
  const problem = rememberProblem((answer as ApprovalAnswer).remember, request);
  if (problem !== undefined) throw cannotRemember(problem);
}

export interface ShownAs {
  /** The request shows redacted arguments, so an edited copy of them would lose the secret. */
  readonly hidesArguments?: boolean | undefined;
  /** Who passed the answer to the kernel; undefined for an answer from outside. Only a manager knows about grants. */
  readonly from?: "approver" | "manager";
}

type Given = Partial<Record<keyof ApprovalAnswer, unknown>>;

function denial(feedback: string): ReadAnswer {
  return { approved: false, feedback };
}

/** Reads own properties only, so that a polluted prototype cannot approve. */
function ownMembers(answer: object): Given {
  return Object.fromEntries(
    MEMBERS.filter((name) => Object.hasOwn(answer, name)).map((name) => [
      name,
      (answer as Record<string, unknown>)[name],
    ]),
  );
}

const MEMBERS = [
  "approved",
  "stepId",
  "modifiedArgs",
  "showAgain",
  "feedback",
  "remember",
  "abort",
  "failure",
  "by",
] as const satisfies (keyof ApprovalAnswer)[];

function feedbackIn({ feedback }: Given): Pick<ApprovalAnswer, "feedback"> {
  return typeof feedback === "string" ? { feedback } : {};
}

function failureIn({ failure }: Given, from: ShownAs["from"]): Pick<ApprovalAnswer, "failure"> {
  return failure === "timeout" || (failure === "stale" && from !== undefined) ? { failure } : {};
}

function abortIn({ abort }: Given): Pick<ApprovalAnswer, "abort"> {
  return abort === true ? { abort } : {};
}

function deciderIn({ by }: Given, from: ShownAs["from"]): Pick<ApprovalAnswer, "by"> {
  const { how, who } = (typeof by === "object" && by !== null ? by : {}) as Partial<Decider>;
  // An approver cannot know whether a grant or no one decided.
  const isGrant = how === "grant" && from === "manager";
  if (how !== "person" && how !== "library" && how !== "rule" && !isGrant) return {};
  return { by: { how, ...(typeof who === "string" && { who: who.slice(0, MAX_NAME_CHARS) }) } };
}

const MAX_NAME_CHARS = 200;

/** A form that returns the arguments it showed has not edited them. */
function isModified(modifiedArgs: unknown, request: ApprovalRequest): boolean {
  if (modifiedArgs === undefined || modifiedArgs === null) return false;
  try {
    const value = typeof modifiedArgs === "string" ? JSON.parse(modifiedArgs) : modifiedArgs;
    return canonicalJson(value) !== canonicalJson(request.args);
  } catch {
    return true;
  }
}

function wantsGrant(remember: unknown): boolean {
  return remember !== undefined && remember !== null && remember !== "once";
}

/**
 * Describes what is wrong with `remember`: it names a grant that was not offered, or is malformed. Undefined if it is
 * valid, and for a bare scope where nothing was offered, which saves nothing.
 */
function rememberProblem(remember: unknown, request: ApprovalRequest): string | undefined {
  if (remember === undefined || remember === null || remember === "once" || isScope(remember))
    return undefined;
  if (chosenGrant(remember, request) !== undefined) return undefined;
  const { grant } = (typeof remember === "object" ? remember : {}) as Partial<RememberGrant>;
  const isOffered = request.grants.some(({ id }) => id === grant);
  const offered = request.grants.map(({ id }) => JSON.stringify(id)).join(", ") || "none";
  if (typeof grant === "string" && !isOffered)
    return `remember names the grant ${JSON.stringify(grant.slice(0, 80))}, which was not offered; offered: ${offered}`;
  return 'remember must be "once", "session", "project" or { grant, scope, expiresInMs? }';
}

function chosenGrant(remember: unknown, request: ApprovalRequest): RememberGrant | undefined {
  if (isScope(remember)) {
    const broadest = broadestGrant(request);
    return broadest === undefined ? undefined : { grant: broadest.id, scope: remember };
  }
  if (typeof remember !== "object" || remember === null) return undefined;
  const { grant, scope, expiresInMs } = remember as Partial<Record<keyof RememberGrant, unknown>>;
  const isOffered = request.grants.some(({ id }) => id === grant);
  if (!isOffered || !isScope(scope)) return undefined;
  if (expiresInMs === undefined) return { grant: grant as string, scope };
  if (typeof expiresInMs !== "number" || !(expiresInMs > 0)) return undefined;
  return { grant: grant as string, scope, expiresInMs };
}

function isScope(value: unknown): value is RememberScope {
  return value === "session" || value === "project";
}
