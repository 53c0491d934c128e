import type { RunHandle } from "@haft/agent";
import { type ApprovalAnswer, type Explanation, ToolError } from "@haft/core";
import type { NodeRuntime, PendingApproval } from "@haft/runtime-node";
import type { ApprovalItem, DecisionRequest } from "../protocol.js";
import type { RunHub } from "../runs/run-hub.js";

interface InboxParts {
  readonly workspaceId: string;
  /** Lists all pending approvals, and decides requests that no run of this server waits for. */
  runtime(): NodeRuntime;
  readonly runs: RunHub;
}

/** Lists pending approvals and forwards decisions. */
export class ApprovalInbox {
  readonly #parts: InboxParts;
  /** The latest decision in progress for each approval. */
  readonly #deciding = new Map<string, Promise<void>>();

  constructor(parts: InboxParts) {
    this.#parts = parts;
  }

  async list(): Promise<readonly ApprovalItem[]> {
    const pending = await this.#pending();
    const items = await Promise.all(pending.map((each) => this.#item(each)));
    return items.sort((a, b) => (a.requestedAt < b.requestedAt ? -1 : 1));
  }

  /**
   * Decides one approval. If the process that asked has ended, its run is resumed first, so that the model learns the
   * outcome. Rejects with ALREADY_DECIDED for everyone but the first. A second window waits until the first decision
   * was carried out, so that it learns that decision instead of a later state.
   */
  async decide(request: DecisionRequest, by: string): Promise<void> {
    const { id } = request;
    const before = this.#deciding.get(id) ?? Promise.resolve();
    const deciding = before.catch(() => {}).then(() => this.#decideNext(request, by));
    this.#deciding.set(id, deciding);
    try {
      await deciding;
    } finally {
      if (this.#deciding.get(id) === deciding) this.#deciding.delete(id);
    }
  }

  async #decideNext({ id, answer }: DecisionRequest, by: string): Promise<void> {
    const pending = (await this.#pending()).find(({ approvalId }) => approvalId === id);
    const deciding = this.#decide(id, answer, { by, pending });
    if (answer.showAgain !== true || pending === undefined) return deciding;
    // The call continues with a second request, so a call made here settles only after that answer.
    await Promise.race([deciding, this.#askedAgain(pending)]);
    deciding.catch(() => {});
  }

  /** Withdraws the requests of a stopped run. Calls that had not asked again after a restart leave theirs behind. */
  async withdraw(runId: string): Promise<void> {
    const left = (await this.#pending()).filter(({ callId }) => runIdOf(callId) === runId);
    // The run itself withdraws the requests that it waits for.
    await Promise.allSettled(left.map(({ approvalId }) => this.#parts.runtime().withdraw(approvalId)));
  }

  /** Rehearses a call with other arguments. Has no effect and never prompts. */
  async preview(tool: string, args: unknown, runId?: string): Promise<Explanation> {
    const { runtime, runs } = this.#parts;
    const own = runId === undefined ? undefined : await runs.resume(runId).catch(() => undefined);
    return (own?.runtime ?? runtime()).explain(tool, args);
  }

  async #decide(id: string, answer: ApprovalAnswer, { by, pending }: Deciding): Promise<void> {
    const { runtime, runs } = this.#parts;
    const runId = pending === undefined ? undefined : runIdOf(pending.callId);
    const decided = { ...answer, by: { how: "person", who: by } } as const;
    if (pending === undefined || runId === undefined) return void (await runtime().decide(id, decided));
    const live = runs.live(runId);
    if (live !== undefined) return live.handle.decide(id, answer, by);
    const resumed = await runs.resume(runId).catch(unlessBusy);
    if (resumed === undefined) return void (await runtime().decide(id, decided));
    await waitUntilAsked(resumed.handle, pending);
    await resumed.handle.decide(id, answer, by);
  }

  async #askedAgain({ approvalId, callId }: PendingApproval): Promise<void> {
    await waitUntil(async () => {
      const all = await this.#pending();
      return all.find((each) => each.callId === callId && each.approvalId !== approvalId);
    });
  }

  #pending(): Promise<readonly PendingApproval[]> {
    return this.#parts.runtime().pending();
  }

  async #item({ approvalId, requestedAt, waiter: _, ...request }: PendingApproval): Promise<ApprovalItem> {
    const { workspaceId, runs } = this.#parts;
    const runId = runIdOf(request.callId);
    const events = runId === undefined ? [] : await runs.events(runId).catch(() => []);
    const told = events.find((event) => event.type === "message.user");
    const turn = events.findLast(
      (event) => event.type === "step.ended" && event.calls.some(({ callId }) => callId === request.callId),
    );
    return {
      id: approvalId,
      workspace: workspaceId,
      request,
      requestedAt,
      ...(events.length > 0 && runId !== undefined && { runId }),
      ...(told?.type === "message.user" && { task: told.text.slice(0, 400) }),
      ...(turn?.type === "step.ended" && turn.text !== "" && { said: turn.text.slice(0, 2_000) }),
    };
  }
}

interface Deciding {
  readonly by: string;
  readonly pending: PendingApproval | undefined;
}

/** Calls of runs are named `runId:step:index`. */
function runIdOf(callId: string): string | undefined {
  return /^([A-Za-z0-9_-]{1,80}):\d+:\d+$/.exec(callId)?.[1];
}

/** Returns undefined for a run that another process drives: that process reads the decision from the store. */
function unlessBusy(thrown: unknown): undefined {
  if (!ToolError.is(thrown) || thrown.code !== "RUN_BUSY") throw thrown;
}

/** A resumed run rehearses its calls again before it asks. An equal plan keeps its approval id. */
async function waitUntilAsked(
  handle: Pick<RunHandle, "pending">,
  { approvalId, callId }: PendingApproval,
): Promise<void> {
  await waitUntil(async () => {
    const asked = handle.pending();
    if (asked.some(({ stepId }) => stepId === approvalId)) return true;
    if (asked.some((each) => each.callId === callId)) throw planChanged("Review the new request.");
    return undefined;
  });
}

function planChanged(hint: string): ToolError {
  return new ToolError("PLAN_CHANGED", "The files have changed since this was shown", { hint });
}

/** Returns the first value found, or undefined if none is found in time. */
async function waitUntil<T>(
  find: () => Promise<T | undefined>,
  patienceMs = PATIENCE_MS,
): Promise<T | undefined> {
  const deadline = Date.now() + patienceMs;
  while (Date.now() < deadline) {
    const found = await find();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return undefined;
}

const PATIENCE_MS = 8_000;
const POLL_MS = 25;
