import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ApprovalAnswer, ToolRuntime } from "@haft/core";
import type { CallRecord, CallState, SharedStore } from "@haft/core/calls";
import type { StoredApproval } from "@haft/core/stores";

/** Tenant, workspace and people of the crash contract. Ann may approve; the bot makes calls. */
export const CRASH = {
  tenant: "acme",
  workspace: "ws",
  ann: { tenant: "acme", id: "ann" },
  bob: { tenant: "acme", id: "bob" },
  bot: { tenant: "acme", id: "bot" },
} as const;

/** Provided by the author of a store: real processes that use the store. */
export interface CrashBench extends AsyncDisposable {
  /** The store opened by this process, empty. */
  readonly store: SharedStore;
  /** A folder for logs. */
  readonly folder: string;
  /**
   * Starts a process that serves the workspace `ws` of the tenant `acme` with the tools of
   * `@haft/testing/crash-tools`, and with a rule that asks about `puts`. Resolves when it is ready.
   */
  startWorker(options: CrashWorkerOptions): Promise<CrashWorker>;
  /** Connects to the workspace from this process, as the bot. */
  connect(options?: CrashClientOptions): Promise<CrashClient>;
  /**
   * Kills the store's server. Resolves when it accepts no more statements. The returned function starts it again.
   * Absent for stores without a server.
   */
  killServer?(): Promise<() => Promise<void>>;
}

export interface CrashWorkerOptions {
  readonly leaseMs: number;
  readonly slots: number;
  /** Suppresses all hints from the store, as if every notification were lost. */
  readonly isDeaf: boolean;
}

export interface CrashClientOptions {
  readonly isDeaf?: boolean;
}

export interface CrashWorker {
  readonly workerId: string;
  kill(signal: "SIGKILL" | "SIGSTOP" | "SIGCONT" | "SIGTERM"): void;
  /** Resolves when the process has ended. */
  readonly ended: Promise<unknown>;
}

export interface CrashClient extends Pick<ToolRuntime, "call"> {
  pending(): Promise<readonly StoredApproval[]>;
  decide(approvalId: string, answer: ApprovalAnswer): Promise<void>;
  dispose(): Promise<void>;
}

/** A bench with shorthands for the checks. */
export class CrashStage {
  readonly bench: CrashBench;
  #nth = 0;

  constructor(bench: CrashBench) {
    this.bench = bench;
  }

  start(options: Partial<CrashWorkerOptions> = {}): Promise<CrashWorker> {
    return this.bench.startWorker({ leaseMs: LEASE_MS, slots: 16, isDeaf: false, ...options });
  }

  newLog(): string {
    this.#nth += 1;
    return join(this.bench.folder, `log-${this.#nth}`);
  }

  /** Unique within the bench. */
  newId(name: string): string {
    this.#nth += 1;
    return `${name}-${this.#nth}`;
  }

  async record(callId: string): Promise<CallRecord | undefined> {
    return (await this.bench.store.calls.find({ tenant: CRASH.tenant, callIds: [callId] }))[0];
  }

  inState(callId: string, ...states: readonly CallState[]): Promise<CallRecord> {
    return until(async () => {
      const record = await this.record(callId);
      if (record === undefined || states.includes(record.state)) return record;
      if (record.state === "settled")
        throw new Error(`${callId} settled: ${JSON.stringify(record.settlement)}`);
      return undefined;
    });
  }

  async stop(...workers: readonly CrashWorker[]): Promise<void> {
    for (const worker of workers) worker.kill("SIGTERM");
    await Promise.all(workers.map(({ ended }) => ended));
  }
}

export const LEASE_MS = 1_000;

export function linesOf(log: string): readonly string[] {
  return existsSync(log) ? readFileSync(log, "utf8").split("\n").filter(Boolean) : [];
}

/** Waits for a condition, independent of the speed of the machine. */
export async function until<T>(
  look: () => T | undefined | false | Promise<T | undefined | false>,
): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found as T;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

type CrashCheck = (stage: CrashStage) => Promise<void>;
export type CrashChecks = readonly (readonly [title: string, check: CrashCheck])[];
