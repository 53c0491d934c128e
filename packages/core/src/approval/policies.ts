import { messageOf } from "../error/tool-error.js";
import {
  canBeRehearsed,
  changesFiles,
  declaredPermissions,
  onlyReads,
} from "../permission/tool-permission.js";
import type { AnyToken } from "../service/token.js";
import { type FileChange, pathsOf } from "../workspace/file-change.js";
import type { ApprovalPolicy, Effect, Opinion, PolicyRequest, Proposal, SyncPolicy } from "./approval.js";
import { rulesOf, withRules } from "./compiled-rule.js";
import { consult } from "./consult-policy.js";

/** Combines policies: the first opinion wins. */
export function firstOpinion(...policies: readonly ApprovalPolicy[]): ApprovalPolicy {
  const from = (start: number, request: PolicyRequest): ReturnType<ApprovalPolicy> => {
    for (let index = start; index < policies.length; index += 1) {
      const opinion = consult(policies[index] as ApprovalPolicy, request);
      if (opinion instanceof Promise) return opinion.then((given) => given ?? from(index + 1, request));
      if (opinion !== undefined) return opinion;
    }
    return undefined;
  };
  return (request) => from(0, request);
}

/** Combines policies: the strictest opinion wins, in any order. */
export function strictest(...policies: readonly ApprovalPolicy[]): ApprovalPolicy {
  return withRules((request: PolicyRequest) => {
    let found: Opinion | undefined;
    const pending: Promise<Opinion | undefined>[] = [];
    for (const policy of policies) {
      const opinion = consult(policy, request);
      if (opinion instanceof Promise) pending.push(opinion.then(asOwn));
      else found = stricter(found, asOwn(opinion));
    }
    if (pending.length === 0) return found;
    return Promise.all(pending).then((opinions) => opinions.reduce(stricter, found));
  }, policies.flatMap(rulesOf));
}

/** SECURITY: an opinion that a policy passes on, such as one of the kernel's, counts as its own and not as a fallback. */
function asOwn(opinion: Opinion | undefined): Opinion | undefined {
  if (opinion?.isFallback === undefined) return opinion;
  const { isFallback: _passedOn, ...own } = opinion;
  return own;
}

export function stricter(a: Opinion | undefined, b: Opinion | undefined): Opinion | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return STRICTNESS[b.effect] > STRICTNESS[a.effect] ? b : a;
}

const STRICTNESS: Record<Effect, number> = { allow: 0, ask: 1, deny: 2 };

export const allowReadOnly: SyncPolicy = ({ definition }) =>
  onlyReads(declaredPermissions(definition))
    ? { effect: "allow", because: `${definition.name} only reads files` }
    : undefined;

/** Allows a rehearsed call that would change nothing. */
export const allowNoEffect: SyncPolicy = ({ definition, changes, opened = [] }) => {
  if (opened.length > 0) return undefined;
  const declared = declaredPermissions(definition);
  return changes.length === 0 && changesFiles(declared) && canBeRehearsed(declared)
    ? { effect: "allow", because: "nothing would change" }
    : undefined;
};

/** Requires approval for files that can later run as code, even if a rule allows writing. */
export const askForProtected: ApprovalPolicy = (request) => {
  const touched = request.changes.filter((change) => change.protected === true);
  if (touched.length === 0) return undefined;
  return withProposal(request, (proposal) => {
    if (isCovered(proposal)) return undefined;
    const paths = touched.map((change) => change.path).join(", ");
    return { effect: "ask", because: `${paths} is protected: its content can run as code later` };
  });
};

/** Turns the tool's own proposal into an opinion; the fallback if the host has none. */
export const proposedByTool: ApprovalPolicy = (request) =>
  withProposal(request, (proposal) => opinionIn(proposal, request));

function opinionIn(proposal: Proposal | undefined, request: PolicyRequest): Opinion | undefined {
  const { definition, changes } = request;
  const { name } = definition;
  if (proposal === "auto") return { effect: "allow", because: `${name} proposes to run without asking` };
  if (proposal === "confirm") return { effect: "ask", because: whatWouldHappen(name, changes) };
  if (proposal === undefined) return undefined;
  if ("box" in proposal) return { effect: "allow", because: proposal.box, verdict: "box" };
  if (isCovered(proposal)) return { effect: "allow", because: proposal.covered };
  return { effect: "ask", because: proposal.confirm, subject: proposal.subject };
}

/** Passes on the tool's proposal, synchronously unless it is async. A proposal that fails means ask. */
function withProposal(
  { definition, args, parsed = args, changes, approved = false, service = noService }: PolicyRequest,
  judge: (proposal: Proposal | undefined) => Opinion | undefined,
): ReturnType<ApprovalPolicy> {
  const { name, approval } = definition;
  if (typeof approval !== "function") return judge(approval);
  const failed = (cause: unknown) => ({
    confirm: `${name} could not judge its own call (${messageOf(cause)})`,
  });
  let proposal: Proposal | Promise<Proposal>;
  try {
    proposal = approval({ args: parsed, changes, approved, service } as never);
  } catch (cause) {
    return judge(failed(cause));
  }
  return proposal instanceof Promise ? proposal.catch(failed).then(judge) : judge(proposal);
}

function isCovered(proposal: Proposal | undefined): proposal is { readonly covered: string } {
  return typeof proposal === "object" && "covered" in proposal;
}

/** A hand-made request has no runtime; a proposal that needs one results in "ask". */
function noService(token: AnyToken): never {
  throw new Error(`there is no runtime to take "${token.name}" from`);
}

/** Describes the changes in one line, as the reason for the request. */
function whatWouldHappen(tool: string, changes: readonly FileChange[]): string {
  // Omits the parent directories of a new file.
  const told = changes.filter((change) => !(change.kind === "create" && change.after.type === "directory"));
  if (told.length === 0) return `${tool} asks before it runs`;
  const shown = told.slice(0, MAX_TOLD).map((change) => `${change.kind} ${pathsOf(change).join(" to ")}`);
  const more = told.length > MAX_TOLD ? ` and change ${told.length - MAX_TOLD} more` : "";
  return `it would ${shown.join(", ")}${more}`;
}

const MAX_TOLD = 3;

/** Decides a call. No opinion means ask. Never throws or rejects. */
export function decide(policy: ApprovalPolicy, request: PolicyRequest): Opinion | Promise<Opinion> {
  const opinion = consult(policy, request);
  if (opinion instanceof Promise) return opinion.then((given) => given ?? NO_OPINION);
  return opinion ?? NO_OPINION;
}

const NO_OPINION: Opinion = { effect: "ask", because: "no rule allows it", by: "default", isFallback: true };
