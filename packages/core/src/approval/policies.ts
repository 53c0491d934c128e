import { messageOf } from "../error/tool-error.js";
import {
  canBeRehearsed,
  changesFiles,
  declaredPermissions,
  onlyReads,
} from "../permission/tool-permission.js";
import type { AnyToken } from "../service/token.js";
import { type FileChange, pathsOf } from "../workspace/file-change.js";
import type { ApprovalPolicy, CallFacts, Effect, Opinion } from "./approval.js";

/** The opinion that counts: the first policy that has one. */
export function firstOpinion(...policies: readonly ApprovalPolicy[]): ApprovalPolicy {
  return (facts) => {
    for (const policy of policies) {
      const opinion = policy(facts);
      if (opinion !== undefined) return opinion;
    }
    return undefined;
  };
}

/** The opinion that counts: the strictest, whatever the order. */
export function strictest(...policies: readonly ApprovalPolicy[]): ApprovalPolicy {
  return (facts) => {
    let found: Opinion | undefined;
    for (const policy of policies) {
      const opinion = policy(facts);
      if (opinion === undefined) continue;
      if (found === undefined || STRICTNESS[opinion.effect] > STRICTNESS[found.effect]) found = opinion;
    }
    return found;
  };
}

/** A policy under a restriction: what that denies or wants asked, the policy cannot lift. */
export function restrictedBy(restriction: ApprovalPolicy, policy: ApprovalPolicy): ApprovalPolicy {
  return (facts) => {
    const restricted = restriction(facts);
    if (restricted?.effect === "deny") return restricted;
    const opinion = policy(facts);
    return opinion?.effect === "deny" ? opinion : (restricted ?? opinion);
  };
}

export const allowReadOnly: ApprovalPolicy = ({ definition }) =>
  onlyReads(declaredPermissions(definition))
    ? { effect: "allow", because: `${definition.name} only reads files` }
    : undefined;

/** A rehearsed call that would change nothing has nothing to ask about. */
export const allowNoEffect: ApprovalPolicy = ({ definition, changes }) => {
  const declared = declaredPermissions(definition);
  return changes.length === 0 && changesFiles(declared) && canBeRehearsed(declared)
    ? { effect: "allow", because: "nothing would change" }
    : undefined;
};

/** Files that later run as code are asked about even where a rule allows writing. */
export const askForProtected: ApprovalPolicy = ({ changes }) => {
  const touched = changes.filter((change) => change.protected === true);
  if (touched.length === 0) return undefined;
  const paths = touched.map((change) => change.path).join(", ");
  return { effect: "ask", because: `${paths} is protected: its content can run as code later` };
};

/** What the tool itself proposes; the fallback when the host says nothing. */
export const proposedByTool: ApprovalPolicy = ({ definition, args, changes, service = noService }) => {
  const { approval } = definition;
  const proposal = typeof approval === "function" ? approval({ args, changes, service } as never) : approval;
  if (proposal === "auto")
    return { effect: "allow", because: `${definition.name} proposes to run without asking` };
  if (proposal === "confirm") return { effect: "ask", because: whatWouldHappen(definition.name, changes) };
  if (proposal === undefined) return undefined;
  return { effect: "ask", because: proposal.confirm, subject: proposal.subject };
};

/** Facts that were put together by hand have no runtime behind them; a proposal that needs one means ask. */
function noService(token: AnyToken): never {
  throw new Error(`there is no runtime to take "${token.name}" from`);
}

/** The reason a person reads first: what is at stake, in one line. */
function whatWouldHappen(tool: string, changes: readonly FileChange[]): string {
  // Directories made on the way to a file are no news.
  const told = changes.filter((change) => !(change.kind === "create" && change.after.type === "directory"));
  if (told.length === 0) return `${tool} asks before it runs`;
  const shown = told.slice(0, MAX_TOLD).map((change) => `${change.kind} ${pathsOf(change).join(" to ")}`);
  const more = told.length > MAX_TOLD ? ` and change ${told.length - MAX_TOLD} more` : "";
  return `it would ${shown.join(", ")}${more}`;
}

const MAX_TOLD = 3;

/** What a host gets that says nothing else: reading is free, the rest as the tool proposes. */
export const defaultPolicy: ApprovalPolicy = firstOpinion(
  allowNoEffect,
  askForProtected,
  proposedByTool,
  allowReadOnly,
);

/** Never throws: no opinion, or a policy that fails, means ask. */
export function decide(policy: ApprovalPolicy, facts: CallFacts): Opinion {
  try {
    return policy(facts) ?? { effect: "ask", because: "no rule allows it" };
  } catch (cause) {
    return {
      effect: "ask",
      because: `the policy failed (${messageOf(cause)})`,
    };
  }
}

const STRICTNESS: Record<Effect, number> = { allow: 0, ask: 1, deny: 2 };
