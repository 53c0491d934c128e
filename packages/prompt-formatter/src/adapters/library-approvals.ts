import {
  type ApprovalAnswer,
  type ApprovalRequest,
  type Decider,
  ToolError,
  type ToolResult,
} from "@haft/core";
import { canonicalJson } from "@haft/core/kernel";
import type { DecidableRuntime, DecidedCall, Denial, LibraryCall, PendingCall } from "./library-call.js";
import { areRelated } from "./related-changes.js";

export type { DecidableRuntime, Denial, LibraryCall, PendingCall };

/**
 * Lets an agent library present the runtime's approval requests. The call starts when the library checks whether to
 * prompt, and waits at the approver. The library's answer decides exactly that request, so the call runs as shown. A
 * request that was not presented is refused.
 */
export class LibraryApprovals {
  readonly #runtime: DecidableRuntime;
  readonly #decider: Decider;
  readonly #made = new Map<string, Promise<MadeCall>>();
  #checked: Promise<unknown> = Promise.resolve();

  constructor(runtime: DecidableRuntime, library: string) {
    this.#runtime = runtime;
    this.#decider = { how: "library", who: library };
  }

  /**
   * Returns the approval request of a call, if it needs one. A call without one has not run yet. A call on a file with
   * a pending request has none yet, because its effect depends on that answer; until then it cannot run.
   */
  async questionOf(call: LibraryCall): Promise<ApprovalRequest | undefined> {
    const known = this.#made.get(call.callId);
    if (known !== undefined) return (await known).question;
    const checked = this.#checked.catch(() => {}).then(() => this.#firstAsked(call));
    this.#checked = checked;
    return checked;
  }

  async #firstAsked(call: LibraryCall): Promise<ApprovalRequest | undefined> {
    const { effect, steps } = await this.#runtime.explain(call.tool, call.args);
    if (effect !== "ask" || steps.at(-1)?.passed !== true) return undefined;
    return (await this.#waitsForAnswer(call)) ? undefined : (await this.#make(call)).question;
  }

  /** Returns whether an earlier call on the same file must be answered first. */
  async #waitsForAnswer({ tool, args }: LibraryCall): Promise<boolean> {
    const made = await Promise.all([...this.#made.values()].map((each) => each.catch(() => undefined)));
    const asked = made.flatMap((each) => each?.question?.changes ?? []);
    return asked.length > 0 && areRelated((await this.#runtime.explain(tool, args)).changes, asked);
  }

  /**
   * Returns the stored request of a call that another process presented to its library. For libraries that prompt again
   * when they resume: repeating the call would replace what was shown with the current outcome.
   */
  async askedBefore({ callId }: LibraryCall): Promise<ApprovalRequest | undefined> {
    return this.#made.has(callId) ? undefined : this.#pending(callId);
  }

  /** Returns the result of a call that the library runs: approved if it prompted, unchanged otherwise. */
  async run(call: LibraryCall, signal?: AbortSignal): Promise<ToolResult> {
    const known = await this.#made.get(call.callId);
    // The runtime rejects a different call with the same id.
    if (known !== undefined && known.key !== keyOf(call)) return this.#call(call, signal);
    const shown = known?.question ?? (await this.#pending(call.callId));
    if (known === undefined && shown === undefined && (await this.#waitsForAnswer(call)))
      return this.#call(call, AbortSignal.abort(notYet(call)));
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

  /** Settles a denied request. Returns the result of the call, if there is one. */
  async deny(callId: string, feedback?: string): Promise<ToolResult | undefined> {
    const known = await this.#made.get(callId);
    const asked = known === undefined ? await this.#pending(callId) : known.question;
    const answer = { approved: false, ...(feedback && { feedback }) };
    const decided = asked === undefined ? undefined : await this.#decide(asked, answer);
    this.#made.delete(callId);
    return known?.result ?? decided?.result;
  }

  /** Settles denied requests, including those of a process that has exited. */
  async settleDenied(denialOf: (call: PendingCall) => Denial | undefined): Promise<void> {
    for (const { callId, tool } of await this.#runtime.pending()) {
      const denial = denialOf({ callId, tool });
      if (denial !== undefined) await this.deny(callId, denial.reason);
    }
  }

  async #answer(question: Asked, shown: Asked | undefined): Promise<void> {
    const isShown = shown?.planDigest === question.planDigest;
    await this.#decide(question, isShown ? { approved: true } : NOT_SHOWN);
  }

  /** The request may already have been decided, for example in the console. That decision counts. */
  async #decide({ approvalId, stepId }: Asked, answer: ApprovalAnswer): Promise<DecidedCall | undefined> {
    try {
      return await this.#runtime.decide(approvalId ?? stepId, { ...answer, by: this.#decider });
    } catch (thrown) {
      if (!ToolError.is(thrown) || !DECIDED.has(thrown.code)) throw thrown;
      return undefined;
    }
  }

  /** Starts the call. Resolves when it asks or ends. */
  #make(call: LibraryCall, signal?: AbortSignal): Promise<MadeCall> {
    const known = this.#made.get(call.callId);
    if (known !== undefined) return known;
    const abort = new AbortController();
    if (signal?.aborted === true) abort.abort(signal.reason);
    const asked = this.#firstQuestion(call.callId);
    const result = this.#call(call, abort.signal);
    const made = Promise.race([asked, result.then(() => undefined)]).then(async (question) => {
      // Reported only once stored, because the library may record the question and exit.
      if (question !== undefined) await this.#pending(call.callId);
      return { call, key: keyOf(call), question, result, abort };
    });
    this.#made.set(call.callId, made);
    // A failed lookup must not affect the next question.
    made.catch(() => this.#made.delete(call.callId));
    return made;
  }

  /** The library presents the first request; a later one, about a command's file changes, could not be presented. */
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

/** Refuses instead of waiting forever: a library submits answers only after every call of a turn has ended or asked. */
function notYet({ tool }: LibraryCall): ToolError {
  return new ToolError("APPROVAL_REQUIRED", `${tool} must wait for an earlier call on the same file`, {
    hint: "Nothing was done. An approval for that call is pending; make the call again afterwards.",
  });
}

const NOT_SHOWN: ApprovalAnswer = {
  approved: false,
  feedback: "its effect no longer matches what was shown; make the call again",
};
const DECIDED: ReadonlySet<string> = new Set(["ALREADY_DECIDED", "APPROVAL_NOT_FOUND"]);
