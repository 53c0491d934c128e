import { type Approver, ToolError } from "@haft/core";
import { denyUnshowable } from "@haft/prompt-formatter";
import type { PlacedRequest } from "./approval-form.js";
import { QuestionPositions } from "./question-positions.js";

type AskingMode = "push" | "retry" | "none";

/** Routes each request to the approver of the client that made the call. */
export class ClientApprover {
  readonly #approvers = new Map<string, Approver | undefined>();
  readonly #approvesAll: boolean;
  readonly #asksClients: boolean;
  readonly #positions = new QuestionPositions(() => this.#askable);

  constructor(approve: "ask" | "all" | "none" | undefined) {
    this.#approvesAll = approve === "all";
    this.#asksClients = approve !== "none";
  }

  /** Returns how a client can be asked. With "none", never. */
  modeFor({ asking }: { readonly asking: AskingMode }): AskingMode {
    return this.#asksClients ? asking : "none";
  }

  /** Returns the approver for a client, or undefined if no one would answer. */
  for(client: { readonly asking: AskingMode }): Approver | undefined {
    return this.modeFor(client) !== "none" || this.#approvesAll ? this.ask : undefined;
  }

  /** Routes requests about a call to this approver while `work` runs. */
  async during<T>(callId: string, approver: Approver | undefined, work: () => Promise<T>): Promise<T> {
    this.#approvers.set(callId, approver);
    try {
      return await work();
    } finally {
      this.#approvers.delete(callId);
    }
  }

  /** The number of running calls that can ask. */
  get #askable(): number {
    return [...this.#approvers.values()].filter((approver) => approver !== undefined).length;
  }

  readonly ask: Approver = async (request, signal) => {
    const approver = this.#approvers.get(request.callId);
    if (approver !== undefined)
      return (
        denyUnshowable(request) ??
        this.#positions.during((position) => approver({ ...request, position } as PlacedRequest, signal))
      );
    if (this.#approvesAll) return { approved: true, by: { how: "rule", who: "--approve all" } };
    throw new ToolError(
      "APPROVAL_REQUIRED",
      `${request.tool} needs approval, but this client does not support elicitation: ${request.reason}`,
      {
        hint: "Nothing was done. Use a client with elicitation and --approve ask, or start the server with --approve all.",
        details: { risk: request.risk, changes: request.changes.map(({ kind, path }) => ({ kind, path })) },
      },
    );
  };
}
