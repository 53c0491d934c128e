import type { KernelErrorCode } from "../error/tool-error.js";
import type { Role } from "../permission/role.js";
import type { Token } from "../service/token.js";
import type { AnyDefinition } from "../tool/tool-definition.js";
import type { ChangeSummary } from "../workspace/describe-change.js";
import type { FileChange } from "../workspace/file-change.js";

/** What a tool thinks of a call of its own. The host's policy decides. */
export type ApprovalProposal<Args> = "auto" | "confirm" | ((facts: ProposalFacts<Args>) => Proposal);

/** To confirm with a reason, a clause such as "example.com is not listed", tells a person why they are asked. */
export type Proposal =
  | "auto"
  | "confirm"
  | { readonly confirm: string; readonly subject?: GrantSubject | undefined };

/**
 * What a person may have remembered of a call that changes no files, beside the call itself: the
 * narrowest thing that such calls have in common, such as one site that is only read.
 */
export interface GrantSubject {
  /** Two calls of a tool with the same subject are the same to whoever allows it. */
  readonly name: string;
  /** The rule as a person reads it: "web_fetch may …". */
  readonly label: string;
}

export interface ProposalFacts<Args> {
  readonly args: Args;
  /** Rehearsed, not guessed; empty for a tool that changes no files. */
  readonly changes: readonly FileChange[];
  /** A service of this runtime, for a proposal that depends on what the host configured. */
  service<T>(token: Token<T>): T;
}

/** Everything a policy may look at. */
export interface CallFacts {
  readonly callId: string;
  readonly definition: AnyDefinition;
  readonly args: Readonly<Record<string, unknown>>;
  readonly changes: readonly FileChange[];
  /** Where the paths among the arguments lead, as workspace paths: as written, and with links followed. */
  readonly paths?: readonly string[];
  readonly role: Role;
  /** A service of this runtime, for what the tool itself proposes. */
  service?<T>(token: Token<T>): T;
}

export type Effect = "allow" | "ask" | "deny";

export interface Opinion {
  readonly effect: Effect;
  /** A clause for people and models: "because …". */
  readonly because: string;
  /** What the tool offers to be remembered, where its own proposal is what is asked about. */
  readonly subject?: GrantSubject | undefined;
  /** What a denial is told as, where there is more to say than POLICY_DENIED. */
  readonly code?: KernelErrorCode;
}

/** Pure. Undefined means no opinion; no opinion at all means ask. */
export type ApprovalPolicy = (facts: CallFacts) => Opinion | undefined;

/** What is shown to whoever decides; plain data, so that it can be stored and sent. */
export interface ApprovalRequest {
  readonly stepId: string;
  readonly callId: string;
  readonly tool: string;
  readonly role: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly reason: string;
  readonly changes: readonly ChangeSummary[];
  readonly risk: "low" | "medium" | "high";
  /** What may be remembered, narrowest first. */
  readonly grants: readonly Grant[];
  /** Stands for the tool, the arguments, and every byte before and after. */
  readonly planDigest: string;
}

/** A rule that "do not ask again" would save, never wider than what was shown. */
export interface Grant {
  readonly id: string;
  readonly label: string;
  readonly match: GrantMatch;
}

export interface GrantMatch {
  readonly tool: string;
  readonly role: string;
  /** The same tool with the same arguments. */
  readonly callDigest?: string;
  /** These kinds of change to these very paths. */
  readonly paths?: readonly string[];
  readonly kinds?: readonly FileChange["kind"][];
  /** Calls without changes that the tool gives this subject. */
  readonly subject?: string;
}

/** Only `approved === true` approves. */
export interface ApprovalAnswer {
  readonly approved: boolean;
  readonly modifiedArgs?: unknown;
  /** Goes to the model with a denial. */
  readonly feedback?: string;
  readonly remember?: RememberChoice;
  /** Set by a gate when nobody answered in time, or the plan is no longer what was approved. */
  readonly failure?: "timeout" | "stale";
}

export type RememberScope = "session" | "project";

/** A scope alone remembers the last grant offered: it is still only the very paths and kinds shown. */
export type RememberChoice =
  | "once"
  | RememberScope
  | { readonly grant: string; readonly scope: RememberScope };

/** The call itself, with nothing taken out: for a gate that must be able to make it again, never to be shown. */
export interface AskedCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** Asks. Must settle when the signal aborts; a gate that throws denies. */
export interface ApprovalGate {
  ask(request: ApprovalRequest, signal: AbortSignal, call: AskedCall): Promise<ApprovalAnswer>;
  /** The remembered grant that covers a request, so that nobody needs to be asked. */
  granted?(request: ApprovalRequest): Grant | undefined;
}
