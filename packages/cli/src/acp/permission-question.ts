import type {
  PermissionOption,
  RequestPermissionOutcome,
  RequestPermissionRequest,
} from "@agentclientprotocol/sdk";
import type { ApprovalAnswer, ApprovalRequest } from "@haft/core";
import { broadestGrant } from "@haft/core/policy";
import { renderInline } from "@haft/text";
import { requestContent, type ViewedWorkspace } from "./tool-call-view.js";

/** Converts an approval request into an ACP permission request. The tool call carries everything the user must see. */
export function permissionQuestion(
  sessionId: string,
  request: ApprovalRequest,
  workspace: ViewedWorkspace,
): RequestPermissionRequest {
  return {
    sessionId,
    toolCall: {
      toolCallId: request.callId,
      status: "pending",
      content: requestContent(request, workspace),
      rawInput: request.args,
    },
    options: [...optionsFor(request)],
  };
}

/** Converts the user's choice into an answer. Anything but an offered approval denies. */
export function permissionAnswer(
  request: ApprovalRequest,
  outcome: RequestPermissionOutcome,
): ApprovalAnswer {
  const chosen = outcome.outcome === "selected" ? outcome.optionId : undefined;
  if (!optionsFor(request).some(({ optionId }) => optionId === chosen)) return { approved: false };
  if (chosen === ALLOW) return { approved: true };
  const grant = broadestGrant(request);
  const scope = SCOPES.find((each) => each === chosen);
  if (grant === undefined || scope === undefined) return { approved: false };
  return { approved: true, remember: { grant: grant.id, scope } };
}

const ALLOW = "once";
const REJECT = "reject";
const SCOPES = ["session", "project"] as const;

function optionsFor(request: ApprovalRequest): readonly PermissionOption[] {
  const allow: PermissionOption = { optionId: ALLOW, name: "Allow once", kind: "allow_once" };
  const reject: PermissionOption = { optionId: REJECT, name: "Reject", kind: "reject_once" };
  const grant = broadestGrant(request);
  if (grant === undefined) return [allow, reject];
  const rule = renderInline(grant.label, { maxChars: MAX_RULE_CHARS });
  // Never offers to save a rule that is too long to show.
  if (rule !== renderInline(grant.label)) return [allow, reject];
  return [
    allow,
    { optionId: "session", name: `Allow in this session: ${rule}`, kind: "allow_always" },
    { optionId: "project", name: `Always allow: ${rule}`, kind: "allow_always" },
    reject,
  ];
}

const MAX_RULE_CHARS = 300;
