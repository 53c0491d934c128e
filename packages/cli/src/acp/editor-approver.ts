import { type AgentContext, methods } from "@agentclientprotocol/sdk";
import { automaticAnswer, type RunHandle, type SessionMode } from "@haft/agent";
import { accountName } from "@haft/agent/node";
import type { ApprovalAnswer, ApprovalRequest } from "@haft/core";
import { denyUnshowable } from "@haft/prompt-formatter";
import { permissionAnswer, permissionQuestion } from "./permission-question.js";
import type { ViewedWorkspace } from "./tool-call-view.js";

interface EditorApproverParts {
  readonly sessionId: string;
  mode(): SessionMode;
  workspace(): ViewedWorkspace;
  handle(): RunHandle | undefined;
  client(): Pick<AgentContext, "request">;
}

/** Asks the user in the editor. */
export class EditorApprover {
  readonly #parts: EditorApproverParts;

  constructor(parts: EditorApproverParts) {
    this.#parts = parts;
  }

  /** The first answer counts, from any source. If the editor disconnects, the request stays pending. */
  async decide(request: ApprovalRequest): Promise<void> {
    const { mode, handle } = this.#parts;
    try {
      const answer =
        automaticAnswer(mode(), request) ?? denyUnshowable(request) ?? (await this.#ask(request));
      await handle()?.decide(request.stepId, answer, accountName());
    } catch {
      // The editor has disconnected, or the request was decided elsewhere.
    }
  }

  async #ask(request: ApprovalRequest): Promise<ApprovalAnswer> {
    const { sessionId, workspace, client } = this.#parts;
    const question = permissionQuestion(sessionId, request, workspace());
    const { outcome } = await client().request(methods.client.session.requestPermission, question);
    return permissionAnswer(request, outcome);
  }
}
