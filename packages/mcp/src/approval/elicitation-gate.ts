import { type ApprovalAnswer, type ApprovalRequest, ToolError } from "@haft/core";
import type { ClientGate } from "../mcp-options.js";

/** Puts one question to whoever made the call. Undefined when that client cannot be asked. */
export type Asker = (request: ApprovalRequest, signal: AbortSignal) => Promise<ApprovalAnswer>;

/** Hands each question to the client whose call it is about. */
export class ElicitationGate implements ClientGate {
  readonly #askers = new Map<string, Asker | undefined>();
  readonly #approvesUnasked: boolean;

  constructor(approve: "ask" | "all" | "none" | undefined) {
    this.#approvesUnasked = approve === "all";
  }

  /** This gate for a runtime whose client can or cannot be asked; undefined when nobody would answer. */
  for(client: { readonly asking: "push" | "retry" | "none" }): ElicitationGate | undefined {
    return client.asking !== "none" || this.#approvesUnasked ? this : undefined;
  }

  /** Until the call is over, questions about it go to this asker. */
  async during<T>(callId: string, asker: Asker | undefined, work: () => Promise<T>): Promise<T> {
    this.#askers.set(callId, asker);
    try {
      return await work();
    } finally {
      this.#askers.delete(callId);
    }
  }

  async ask(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer> {
    const asker = this.#askers.get(request.callId);
    if (asker !== undefined) return asker(request, signal);
    if (this.#approvesUnasked) return { approved: true };
    throw new ToolError(
      "APPROVAL_REQUIRED",
      `${request.tool} needs approval and this client cannot be asked: ${request.reason}`,
      {
        hint: "Nothing was done. Use a client with elicitation, or start the server with --approve all.",
        details: { risk: request.risk, changes: request.changes.map(({ kind, path }) => ({ kind, path })) },
      },
    );
  }
}
