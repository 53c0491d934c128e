import {
  type ApprovalAnswer,
  type ApprovalRequest,
  broadestGrant,
  canonicalJson,
  type RememberScope,
} from "@haft/core";

/** What an approver answers. Only `approved === true` approves; anything malformed is a denial. */
export interface ApprovalResponse {
  readonly approved: boolean;
  /** Given back, it must be the id of the request that was answered. */
  readonly stepId?: string;
  /** Run with these arguments instead; they are validated, policed and rehearsed like any others. */
  readonly modifiedArgs?: unknown;
  /** Goes to the model with a denial. */
  readonly feedback?: string;
  /** With a denial: nobody answered in time. Only "timeout" counts. */
  readonly failure?: ApprovalAnswer["failure"];
  /** Not to be asked again; a scope alone saves the broadest grant that was offered. */
  readonly remember?: "once" | RememberScope | RememberGrant;
}

export interface RememberGrant {
  /** The id of one of the request's grants. */
  readonly grant: string;
  readonly scope: RememberScope;
  readonly expiresInMs?: number;
}

/** Shows a request to somebody and waits for the answer; the signal aborts when it no longer matters. */
export type Approver = (request: ApprovalRequest, signal: AbortSignal) => Promise<ApprovalResponse>;

/** An answer as it counts: what is to be remembered names a grant that was offered. */
export type ReadAnswer = Omit<ApprovalAnswer, "remember"> & { readonly remember?: RememberGrant };

/** Reads an answer that may come from anywhere. Never throws: what is not understood denies. */
export function readResponse(
  response: unknown,
  request: ApprovalRequest,
  { hidesArguments = false }: ShownAs = {},
): ReadAnswer {
  if (typeof response !== "object" || response === null) return denial("the answer was not understood");
  const given = ownMembers(response);
  if (given.stepId !== undefined && given.stepId !== request.stepId)
    return denial("the answer was for another request");
  const feedback = typeof given.feedback === "string" ? { feedback: given.feedback } : {};
  if (given.approved !== true)
    return { approved: false, ...feedback, ...(given.failure === "timeout" && { failure: "timeout" }) };
  const modifiedArgs = isModified(given.modifiedArgs, request) ? given.modifiedArgs : undefined;
  if (modifiedArgs === undefined) {
    const remember = chosenGrant(given.remember, request);
    return { approved: true, ...feedback, ...(remember === undefined ? {} : { remember }) };
  }
  if (hidesArguments) return denial("arguments that hold a hidden secret cannot be changed here");
  // What was offered to be remembered is the call that was shown, not the one that runs now.
  return { approved: true, modifiedArgs, ...feedback };
}

export interface ShownAs {
  /** Something was taken out of the arguments before they were shown, and would be lost in an edited copy. */
  readonly hidesArguments?: boolean | undefined;
}

function denial(feedback: string): ReadAnswer {
  return { approved: false, feedback };
}

/** Only its own members count, so that nothing a prototype holds can approve. */
function ownMembers(response: object): Partial<Record<keyof ApprovalResponse, unknown>> {
  return Object.fromEntries(
    ["approved", "stepId", "modifiedArgs", "feedback", "failure", "remember"]
      .filter((name) => Object.hasOwn(response, name))
      .map((name) => [name, (response as Record<string, unknown>)[name]]),
  );
}

/** A form gives back what it showed; that changes nothing, and what it showed had its secrets taken out. */
function isModified(modifiedArgs: unknown, request: ApprovalRequest): boolean {
  if (modifiedArgs === undefined || modifiedArgs === null) return false;
  try {
    const value = typeof modifiedArgs === "string" ? JSON.parse(modifiedArgs) : modifiedArgs;
    return canonicalJson(value) !== canonicalJson(request.args);
  } catch {
    return true;
  }
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
