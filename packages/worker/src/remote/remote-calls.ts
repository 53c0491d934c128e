import { type CallOptions, ToolError, type ToolResult } from "@haft/core";
import {
  type CallRecord,
  failedResult,
  type NewCall,
  type Principal,
  type QueuedOptions,
  resultOf,
} from "@haft/core/calls";
import { cancelledForNow, type EventBus, keepsApproval, onAbort } from "@haft/core/kernel";
import type { CallWaiter } from "./call-waiter.js";
import type { WorkspaceConnection } from "./connect-workspace.js";
import { expireCall } from "./expire-call.js";
import { followCall } from "./follow-call.js";
import type { RemoteOptions } from "./remote-runtime.js";

export interface RemoteParts extends RemoteOptions {
  readonly principal: Principal;
  readonly session: string;
  readonly events: EventBus;
  readonly waiter: CallWaiter;
  readonly pollMs: number;
  readonly connection: WorkspaceConnection;
}

/** The calls of one remote runtime, from submission to result. */
export class RemoteCalls {
  readonly #parts: RemoteParts;
  readonly #life = new AbortController();
  /** The files that this session has seen, by path. */
  readonly #seen = new Map<string, string>();

  constructor(parts: RemoteParts) {
    this.#parts = parts;
  }

  /** Never rejects. */
  async call(tool: string, args: unknown, options: CallOptions = {}): Promise<ToolResult> {
    const callId = options.callId ?? crypto.randomUUID();
    const startedAt = performance.now();
    const { events } = this.#parts;
    events.emit({ callId, tool }, { type: "requested", args, terminate: options.terminate ?? false });
    let result: ToolResult;
    try {
      for (const { path, hash } of options.alreadySeen ?? []) this.#seen.set(path, hash);
      const trace = options.trace ?? this.#parts.trace?.();
      const queued = this.#queuedOptions(args, options);
      const call = this.#newCall({ callId, tool, args, options: queued, ...(trace && { trace }) });
      await options.beforeStart?.();
      const settled = await this.#settled(call, options.signal);
      for (const { path, hash } of settled.settlement?.shown ?? []) this.#seen.set(path, hash);
      result = resultOf(settled);
    } catch (cause) {
      result = failedResult({ tool, callId }, cause, performance.now() - startedAt);
    }
    if (result.ok && !result.preview)
      for (const change of result.changes) events.emit({ callId, tool }, { type: "file-changed", change });
    events.emit({ callId, tool }, { type: "finished", result });
    return result;
  }

  /**
   * Waits for the result of a call that was made earlier; undefined if the store does not have it in this workspace. As
   * for `call`, whoever works in the workspace and knows the id may have its result, so that others can continue a run.
   */
  async resultOf(callId: string, signal?: AbortSignal): Promise<ToolResult | undefined> {
    const { store, principal, workspace } = this.#parts;
    const [call] = await store.calls.find({ tenant: principal.tenant, callIds: [callId] });
    if (call?.workspace !== workspace) return undefined;
    return resultOf(call.state === "settled" ? call : await this.#followed(call, signal));
  }

  async explain(tool: string, args: unknown): Promise<unknown> {
    const call = this.#newCall({ callId: crypto.randomUUID(), tool, args, kind: "explain" });
    const { settlement } = await this.#settled(call, undefined);
    if (settlement?.outcome === "ok") return settlement.result;
    throw new ToolError(settlement?.code ?? "EXECUTION_ERROR", "The worker could not explain the call");
  }

  seen(): readonly { readonly path: string; readonly hash: string }[] {
    return [...this.#seen].map(([path, hash]) => ({ path, hash }));
  }

  /** Stops waiting. The calls continue; made again with the same id, they return their results. */
  close(): void {
    this.#life.abort(cancelledForNow("The runtime was closed; the call continues on its worker"));
  }

  #newCall(call: Pick<NewCall, "callId" | "tool" | "args" | "options" | "kind" | "trace">): NewCall {
    const { workspace, principal, session, maxQueuedMs } = this.#parts;
    const whole = {
      ...call,
      workspace,
      session,
      tenant: principal.tenant,
      principal: principal.id,
      ...(maxQueuedMs !== undefined && { maxQueuedMs }),
    };
    // The store holds JSON. Submits a copy, so that later changes to the original have no effect.
    return jsonOf(whole) as NewCall;
  }

  /** A worker may not know what this session has read; the arguments name the file that a call overwrites. */
  #queuedOptions(args: unknown, { timeoutMs, dryRun, terminate }: CallOptions): QueuedOptions {
    const text = this.#seen.size === 0 ? "" : JSON.stringify(jsonOf(args));
    const named = this.seen().filter(({ path }) => text.includes(JSON.stringify(path).slice(1, -1)));
    return {
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(dryRun !== undefined && { dryRun }),
      ...(terminate !== undefined && { terminate }),
      ...(named.length > 0 && { alreadySeen: named }),
    };
  }

  async #submitted(call: NewCall): Promise<CallRecord> {
    const { store, waiter } = this.#parts;
    waiter.expect(call.callId);
    try {
      const submitted = await store.calls.submit(call);
      if (submitted.state === "settled") waiter.unexpect(call.callId);
      return submitted;
    } catch (cause) {
      waiter.unexpect(call.callId);
      throw cause;
    }
  }

  async #settled(call: NewCall, given: AbortSignal | undefined): Promise<CallRecord> {
    for (const signal of this.#signals(given)) signal.throwIfAborted();
    const submitted = await this.#submitted(call);
    return submitted.state === "settled" ? submitted : this.#followed(submitted, given);
  }

  #signals(given: AbortSignal | undefined): readonly AbortSignal[] {
    return [this.#life.signal, ...(given === undefined ? [] : [given])];
  }

  #followed(submitted: CallRecord, given: AbortSignal | undefined): Promise<CallRecord> {
    const signals = this.#signals(given);
    const { store, principal, connection, pollMs } = this.#parts;
    return new Promise((resolve, reject) => {
      const end = () => {
        for (const leave of leaves) leave();
        stop();
      };
      const abort = ({ reason }: AbortSignal) => {
        if (keepsApproval(reason)) {
          end();
          reject(reason);
        } else
          void store.calls
            .cancel({ ...submitted, by: principal.id })
            .then((now) => now && noted(now), reject);
      };
      const { noted, stop } = followCall(submitted, {
        ...this.#parts,
        onClaimed: (epoch) => connection.noteEpoch(epoch),
        onSettled: (record) => {
          end();
          resolve(record);
        },
        onGone: () => {
          end();
          reject(gone(submitted));
        },
      });
      const leaves = [
        ...signals.map((signal) => onAbort(signal, () => abort(signal))),
        expireCall(submitted, { calls: store.calls, pollMs, onSettled: noted }),
      ];
      const aborted = signals.find((signal) => signal.aborted);
      if (aborted !== undefined) abort(aborted);
    });
  }
}

function gone({ callId, tool }: NewCall): ToolError {
  return new ToolError("UNKNOWN_OUTCOME", `The store no longer has the call ${callId} of ${tool}`, {
    hint: "It was pruned, or lost with the server. Check whether it had its effect before you repeat it.",
  });
}

function jsonOf(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value ?? null));
  } catch (cause) {
    throw new ToolError("INVALID_ARGUMENTS", "The arguments are not JSON", { cause });
  }
}
