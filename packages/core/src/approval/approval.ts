import type { KernelErrorCode } from "../error/tool-error.js";
import type { Role } from "../permission/role.js";
import type { Token } from "../service/token.js";
import type { CommandFacts } from "../tool/call-inspection.js";
import type { AnyDefinition } from "../tool/tool-definition.js";
import type { ChangeSummary } from "../workspace/describe-change.js";
import type { FileChange } from "../workspace/file-change.js";

/** A tool's opinion about a call of its own. The host's policies decide. */
export type ApprovalProposal<Args> =
  | "auto"
  | "confirm"
  | ((facts: ProposalFacts<Args>) => Proposal | Promise<Proposal>);

/**
 * `confirm` with a reason, a clause such as "example.com is not listed", tells people why they are asked. "box" runs
 * the call confined without approval; its changes are proposed afterwards. "covered" means that these changes were
 * already decided: protected paths do not prompt again.
 */
export type Proposal =
  | "auto"
  | "confirm"
  | { readonly covered: string }
  | { readonly box: string }
  | { readonly confirm: string; readonly subject?: GrantSubject | undefined };

/**
 * A grant a user can save for a call that changes no files, besides the call itself: the narrowest thing that such
 * calls have in common, such as read access to one site.
 */
export interface GrantSubject {
  /** Calls of a tool with the same subject are covered by the same grant. */
  readonly name: string;
  /** The rule as shown to users: "web_fetch may …". */
  readonly label: string;
}

export interface ProposalFacts<Args> {
  readonly args: Args;
  /** The rehearsed changes; empty for a tool that changes no files. */
  readonly changes: readonly FileChange[];
  /** A user or a grant approved this call before it ran; `changes` are its outcome. */
  readonly approved: boolean;
  /** Returns a service of this runtime, for a proposal that depends on the host's configuration. */
  service<T>(token: Token<T>): T;
}

/** One call, as a policy sees it. */
export interface PolicyRequest {
  readonly callId: string;
  /** Who makes the call, where the host says so. */
  readonly principal?: string;
  readonly definition: AnyDefinition;
  readonly args: Readonly<Record<string, unknown>>;
  /** The arguments as the tool receives them, if its schema transforms them. */
  readonly parsed?: unknown;
  readonly changes: readonly FileChange[];
  /** A user or a grant approved this call before it ran; `changes` are its outcome. */
  readonly approved?: boolean;
  /** The workspace paths that the path arguments resolve to: as written, and with links followed. */
  readonly paths?: readonly string[];
  /** Paths that the call has read, that no argument names, and for which a rule requires approval. */
  readonly opened?: readonly string[];
  /** The parsed command, from a tool that runs one. */
  readonly command?: CommandFacts | undefined;
  /** The URL, from a tool that accesses one. */
  readonly url?: string | undefined;
  /** The files that determine what the call does, in their current state. */
  readonly operands?: readonly Operand[] | undefined;
  readonly role: Role;
  /** Returns a service of this runtime, for the tool's own proposal. */
  service?<T>(token: Token<T>): T;
  /** Receives the opinion of every policy. Set only while a decision is explained. */
  noteOpinion?(policy: string, opinion: Opinion | undefined): void;
  /** Receives every policy that failed or returned something other than an opinion. */
  noteFailure?(failure: PolicyFailure): void;
}

/** A workspace file that determines what a call does, such as the script that a command runs. */
export interface Operand {
  readonly path: string;
  /** Undefined if the file does not exist. */
  readonly digest?: string | undefined;
}

export interface PolicyFailure {
  readonly policy: string;
  /** What it returned instead: "answered null, which is not an opinion". */
  readonly problem: string;
}

export type Effect = "allow" | "ask" | "deny";

export interface Opinion {
  readonly effect: Effect;
  /** A clause for users and models: "because …". */
  readonly because: string;
  /** The policy or rule that gave this opinion. Set by the kernel. */
  readonly by?: string;
  /** True if no guard, rule or policy had an opinion, so that a fallback decided. Set by the kernel. */
  readonly isFallback?: boolean;
  /** The grant subject that the tool offers, if its own proposal asks. */
  readonly subject?: GrantSubject | undefined;
  /** "box" if the call runs confined and its changes are decided afterwards. */
  readonly verdict?: "box";
  /** The error code of a denial, if POLICY_DENIED is not specific enough. */
  readonly code?: KernelErrorCode;
}

/**
 * Decides calls without side effects. Undefined means no opinion; if no policy has one, approval is requested. A policy
 * that throws, rejects or returns anything else denies the call.
 */
export type ApprovalPolicy = (request: PolicyRequest) => Opinion | undefined | Promise<Opinion | undefined>;

/** A synchronous policy. */
export type SyncPolicy = (request: PolicyRequest) => Opinion | undefined;

/** What the decider sees, as plain data that can be stored and sent. */
export interface ApprovalRequest {
  readonly stepId: string;
  readonly callId: string;
  readonly tool: string;
  readonly role: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly reason: string;
  /** The rule, policy or proposal that requires the approval. */
  readonly decidedBy?: string;
  /**
   * Present if no guard, rule or policy requires it, only the tool's proposal, read-before-write or the lack of an
   * opinion.
   */
  readonly isFallback?: true;
  readonly changes: readonly ChangeSummary[];
  /** The files, besides the changes, whose content the answer covers. */
  readonly operands?: readonly Operand[] | undefined;
  /** The tool has run. The request is about applying its file changes; its arguments can no longer be changed. */
  readonly hasRun?: true;
  readonly risk: "low" | "medium" | "high";
  /** The grants that can be saved, narrowest first. */
  readonly grants: readonly Grant[];
  /** A digest of the tool, the arguments, and every byte before and after. */
  readonly planDigest: string;
}

/** A rule that "do not ask again" saves, never broader than what was shown. */
export interface Grant {
  readonly id: string;
  readonly label: string;
  readonly match: GrantMatch;
  /** What was shown when it was granted, redacted and truncated: used to explain differences, never to match. */
  readonly shown?: {
    readonly args: Readonly<Record<string, unknown>>;
    readonly operands?: readonly Operand[];
  };
}

export interface GrantMatch {
  readonly tool: string;
  readonly role: string;
  /** The same tool with the same arguments. */
  readonly callDigest?: string;
  /** These kinds of change to exactly these paths. */
  readonly paths?: readonly string[];
  readonly kinds?: readonly FileChange["kind"][];
  /** Calls without changes that the tool gives this subject. */
  readonly subject?: string;
}
