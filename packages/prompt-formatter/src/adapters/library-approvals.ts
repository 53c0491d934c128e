import {
  type ApprovalRequest,
  canonicalJson,
  ToolError,
  type ToolResult,
  type ToolRuntime,
} from "@haft/core";

/** A runtime whose questions can be answered from outside, such as one of `@haft/runtime-node` made with `decidable: true`. */
export interface DecidableRuntime extends ToolRuntime {
  pending(): Promise<readonly (ApprovalRequest & { readonly approvalId: string })[]>;
  decide(approvalId: string, response: Answer): Promise<unknown>;
}

/** A call as an agent library hands it over; its id is the library's own. */
export interface LibraryCall {
  readonly tool: string;
  readonly args: unknown;
  readonly callId: string;
}

/**
 * Lets an agent library put the question that the runtime's gate asks. The call is made when the
 * library wants to know whether to ask, and waits at the gate; the library's answer decides that
 * very question, so what runs is what was shown. A question that was not put before is refused.
 */
export class LibraryApprovals {
  readonly #runtime: DecidableRuntime;
  readonly #made = new Map<string, Promise<MadeCall>>();

  constructor(runtime: DecidableRuntime) {
    this.#runtime = runtime;
  }

  /** The question to put to a person, if the call needs one. What needs none has not run yet. */
  async questionOf(call: LibraryCall): Promise<ApprovalRequest | undefined> {
    const known = this.#made.get(call.callId);
    if (known !== undefined) return (await known).question;
    const { effect, steps } = await this.#runtime.explain(call.tool, call.args);
    if (effect !== "ask" || steps.at(-1)?.passed !== true) return undefined;
    return (await this.#make(call)).question;
  }

  /** What comes of a call that the library lets run: approved if it asked, run as it is if it need not ask. */
  async run(call: LibraryCall, signal?: AbortSignal): Promise<ToolResult> {
    const known = await this.#made.get(call.callId);
    // Another call under the same id is refused by the runtime and approves nothing.
    if (known !== undefined && known.key !== keyOf(call)) return this.#call(call, signal);
    const shown = known?.question ?? (await this.#pending(call.callId));
    const { question, result, abort } = known ?? (await this.#make(call, signal));
    const giveUp = () => abort.abort(signal?.reason);
    signal?.addEventListener("abort", giveUp, { once: true });
    if (signal?.aborted === true) giveUp();
    if (question !== undefined) await this.#answer(question, shown);
    try {
      return await result;
    } finally {
      signal?.removeEventListener("abort", giveUp);
      this.#made.delete(call.callId);
    }
  }

  /** The library's person said no. What came of the call, if it was made here. */
  async deny(callId: string, feedback?: string): Promise<ToolResult | undefined> {
    const known = await this.#made.get(callId);
    const asked = known === undefined ? await this.#pending(callId) : known.question;
    if (asked !== undefined) await this.#decide(asked, { approved: false, ...(feedback && { feedback }) });
    this.#made.delete(callId);
    return known?.result;
  }

  /** The calls that wait here for the library's answer. */
  async waiting(): Promise<readonly LibraryCall[]> {
    const made = await Promise.all(this.#made.values());
    return made.filter(({ question }) => question !== undefined).map(({ call }) => call);
  }

  async #answer(question: Asked, shown: Asked | undefined): Promise<void> {
    const isShown = shown?.planDigest === question.planDigest;
    await this.#decide(question, isShown ? { approved: true } : NOT_SHOWN);
  }

  /** Somebody else may have been first, on a console for example; then their decision counts. */
  async #decide({ approvalId, stepId }: Asked, answer: Answer): Promise<void> {
    try {
      await this.#runtime.decide(approvalId ?? stepId, answer);
    } catch (thrown) {
      if (!ToolError.is(thrown) || !DECIDED.has(thrown.code)) throw thrown;
    }
  }

  /** Makes the call; there when it asks, or when it is over. */
  #make(call: LibraryCall, signal?: AbortSignal): Promise<MadeCall> {
    const known = this.#made.get(call.callId);
    if (known !== undefined) return known;
    const abort = new AbortController();
    if (signal?.aborted === true) abort.abort(signal.reason);
    const asked = this.#firstQuestion(call.callId);
    const result = this.#call(call, abort.signal);
    const made = Promise.race([asked, result.then(() => undefined)]).then(async (question) => {
      // Told only when it is stored: the library may write down that it asked, and end.
      if (question !== undefined) await this.#pending(call.callId);
      return { call, key: keyOf(call), question, result, abort };
    });
    this.#made.set(call.callId, made);
    // A question that could not be looked up was not put; the next one must not stumble over it.
    made.catch(() => this.#made.delete(call.callId));
    return made;
  }

  /** The first is the library's to put; a later one, about what a command left behind, nobody would. */
  #firstQuestion(callId: string): Promise<ApprovalRequest> {
    return new Promise((resolve) => {
      let isAsked = false;
      const stop = this.#runtime.watch((event) => {
        if (event.callId !== callId) return;
        if (event.type === "finished") stop();
        if (event.type !== "approval-requested") return;
        if (isAsked) void this.#decide(event.request, NOT_SHOWN).catch(() => {});
        isAsked = true;
        resolve(event.request);
      });
    });
  }

  #call({ tool, args, callId }: LibraryCall, signal: AbortSignal | undefined): Promise<ToolResult> {
    return this.#runtime.call(tool, args, { callId, ...(signal && { signal }) });
  }

  async #pending(callId: string): Promise<Asked | undefined> {
    return (await this.#runtime.pending()).find((asked) => asked.callId === callId);
  }
}

interface Answer {
  readonly approved: boolean;
  readonly feedback?: string;
}

type Asked = ApprovalRequest & { readonly approvalId?: string };

interface MadeCall {
  readonly call: LibraryCall;
  readonly key: string;
  readonly question: ApprovalRequest | undefined;
  readonly result: Promise<ToolResult>;
  readonly abort: AbortController;
}

function keyOf({ tool, args }: LibraryCall): string {
  return canonicalJson([tool, args]);
}

const NOT_SHOWN: Answer = {
  approved: false,
  feedback: "what it would do is not what was shown; make the call again",
};
const DECIDED: ReadonlySet<string> = new Set(["ALREADY_DECIDED", "APPROVAL_NOT_FOUND"]);
