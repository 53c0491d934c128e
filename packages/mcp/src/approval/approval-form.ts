import { type ApprovalRequest, broadestGrant, type Grant } from "@haft/core";
import { argumentsText, formatApproval } from "@haft/prompt-formatter";
import { renderInline } from "@haft/text";
import type { ElicitRequestFormParams } from "@modelcontextprotocol/server";

/** The question as an MCP client shows it: what would happen, and a form for the answer. */
export function approvalForm(request: ApprovalRequest): ElicitRequestFormParams {
  return {
    mode: "form",
    message: formatApproval(request),
    requestedSchema: {
      type: "object",
      properties: {
        approved: { type: "boolean", title: "Approve", description: "Only true lets the call go on" },
        feedback: { type: "string", title: "Feedback", description: "Told to the model with a refusal" },
        arguments: {
          type: "string",
          title: "Arguments",
          description: "The arguments as JSON; changed, the call is checked and rehearsed again with them",
          default: argumentsText(request),
        },
        remember: {
          type: "string",
          title: "Remember",
          description: rememberDescription(request),
          enum: [...REMEMBER_CHOICES],
          default: "once",
        },
      },
      required: ["approved"],
    },
  };
}

export const REMEMBER_CHOICES = ["once", "session", "project"] as const;

/** The rule that is shown, and the one that is saved: the widest that what was shown justifies. */
export function offeredGrant(request: ApprovalRequest): Grant | undefined {
  return broadestGrant(request);
}

function rememberDescription(request: ApprovalRequest): string {
  const grant = offeredGrant(request);
  if (grant === undefined) return "Nothing can be remembered for this call";
  return `session or project saves this rule and asks no more about what it covers: ${renderInline(grant.label)}`;
}
