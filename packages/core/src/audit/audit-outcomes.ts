import type { ToolResult } from "../result/tool-result.js";
import type { AuditEntry, AuditOutcome, AuditStore } from "./audit-store.js";

/**
 * Records how calls ended whose approval was recorded. A record that cannot be stored is skipped: the call has already
 * had its effect, and a decision without an outcome shows the gap.
 */
export class AuditOutcomes {
  readonly #store: AuditStore;
  readonly #allowed = new Map<string, AllowedCall>();
  readonly #storing = new Set<Promise<unknown>>();

  constructor(store: AuditStore) {
    this.#store = store;
  }

  /** Remembers the latest decision about a call, whose record may still be on its way. */
  decided(entry: AuditEntry, stored: Promise<unknown>): void {
    if (entry.verdict === "allow") this.#allowed.set(entry.callId, { entry, stored });
    else this.#allowed.delete(entry.callId);
  }

  ended(callId: string, result: ToolResult): void {
    const allowed = this.#allowed.get(callId);
    if (allowed === undefined) return;
    this.#allowed.delete(callId);
    const outcome = outcomeOf(allowed.entry, result);
    // An outcome without its decision would say nothing.
    const storing = allowed.stored.then(() => this.#store.append(outcome)).catch(() => {});
    this.#storing.add(storing);
    void storing.then(() => this.#storing.delete(storing));
  }

  /** Resolves when every outcome so far is stored. */
  async idle(): Promise<void> {
    await Promise.all(this.#storing);
  }
}

interface AllowedCall {
  readonly entry: AuditEntry;
  readonly stored: Promise<unknown>;
}

function outcomeOf(entry: AuditEntry, result: ToolResult): AuditEntry {
  const { callId, principal, tool, role, effect, verdict, decider, approvalId } = entry;
  const changes = result.ok && !result.preview ? result.changes : [];
  return {
    at: new Date().toISOString(),
    callId,
    ...(principal !== undefined && { principal }),
    tool,
    role,
    args: {},
    changes: changes.map(({ kind, path, from }) => ({ kind, path, ...(from !== undefined && { from }) })),
    paths: [],
    effect,
    because: "the call ended",
    verdict,
    decider,
    ...(approvalId !== undefined && { approvalId }),
    outcome: { ...statusOf(result), durationMs: Math.round(result.durationMs) },
  };
}

function statusOf(result: ToolResult): Pick<AuditOutcome, "status" | "code"> {
  if (result.ok) return { status: "ok" };
  const { code } = result.error;
  return { status: code === "CANCELLED" ? "cancelled" : "error", code };
}
