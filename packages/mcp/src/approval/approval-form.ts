import type { ApprovalRequest, Grant } from "@haft/core";
import { broadestGrant } from "@haft/core/policy";
import { argumentsText, formatApproval } from "@haft/prompt-formatter";
import { renderInline } from "@haft/text";
import type { ElicitRequestFormParams } from "@modelcontextprotocol/server";
import type { QuestionPosition } from "./question-positions.js";

/** A request with its position among the open questions. */
export interface PlacedRequest extends ApprovalRequest {
  readonly position?: QuestionPosition;
}

/** Builds the elicitation form: what would happen, and fields for the answer. */
export function approvalForm(request: PlacedRequest): ElicitRequestFormParams {
  return {
    mode: "form",
    message: formatApproval(request, { position: request.position }),
    requestedSchema: {
      type: "object",
      properties: {
        approved: {
          type: "boolean",
          title: "Approve",
          description:
            "The call is executed only if this is true. Decline refuses this call. Cancel stops the task",
        },
        feedback: { type: "string", title: "Feedback", description: "Sent to the model if you refuse" },
        ...(request.hasRun !== true && { arguments: argumentsField(request) }),
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

/** Omitted after the tool has run, because nothing is left to edit. */
function argumentsField(request: ApprovalRequest) {
  return {
    type: "string",
    title: "Arguments",
    description: "The arguments as JSON. If you change them, you see the new result and are asked again",
    default: argumentsText(request),
  } as const;
}

export const REMEMBER_CHOICES = ["once", "session", "project"] as const;

/** Returns the rule to show and to save: the widest one that the shown request justifies. */
export function offeredGrant(request: ApprovalRequest): Grant | undefined {
  return broadestGrant(request);
}

function rememberDescription(request: ApprovalRequest): string {
  const grant = offeredGrant(request);
  if (grant === undefined) return "No rule can be saved for this call";
  return `session or project saves this rule, and calls it covers no longer ask: ${renderInline(grant.label)}`;
}
