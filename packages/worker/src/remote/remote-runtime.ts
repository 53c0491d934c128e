import {
  type ApprovalAnswer,
  type Approver,
  type CallOptions,
  type Explanation,
  ToolError,
  type ToolResult,
  type ToolRuntime,
} from "@haft/core";
import { decideApproval, type Principal, pendingApprovals, type SharedStore } from "@haft/core/calls";
import { EventBus, toolCall } from "@haft/core/kernel";
import type { StoredApproval } from "@haft/core/stores";
import { CallWaiter } from "./call-waiter.js";
import { connectWorkspace } from "./connect-workspace.js";
import { RemoteCalls } from "./remote-calls.js";

export interface RemoteOptions {
  /** The id of the workspace: the name of its folder on the worker. */
  readonly workspace: string;
  readonly store: SharedStore;
  /** The principal that makes calls and decides. Default: "agent" of the tenant "default". */
  readonly principal?: Principal;
  /**
   * Calls of one session share the record of read files. Pass the same id to continue after a restart. Default: a new
   * one.
   */
  readonly session?: string;
  /** Asked about every call that needs approval; others may answer first. The principal needs the right to approve. */
  readonly approver?: Approver;
  /** Trace context for calls that bring none, such as `activeTrace` of `@haft/telemetry`. */
  trace?(): Readonly<Record<string, string>> | undefined;
  /** How long a call may wait for a worker. Default: forever. */
  readonly maxQueuedMs?: number;
  /** How long to wait for a worker that serves the workspace. Default: 20,000. */
  readonly connectMs?: number;
  /** How often to look for results when no hint arrives. Default: 1,000. */
  readonly pollMs?: number;
}

/** A runtime whose calls are executed by a worker, on this machine or another. */
export interface RemoteRuntime extends ToolRuntime, AsyncDisposable {
  readonly session: string;
  /**
   * Waits for the result of a call that an earlier process made. Never makes it: undefined if the store does not have
   * the call in this workspace. Any principal of the tenant that knows the id may ask, as it may continue the run.
   */
  resultOf(callId: string, signal?: AbortSignal): Promise<ToolResult | undefined>;
  /** The pending approvals of this workspace. */
  pending(): Promise<readonly StoredApproval[]>;
  /** Decides an approval. Rejects with PERMISSION_DENIED, ALREADY_DECIDED or APPROVAL_NOT_FOUND. */
  decide(approvalId: string, answer: ApprovalAnswer): Promise<void>;
}

/**
 * Connects to a workspace that a worker serves. A call is stored before it is executed, so a process that restarts can
 * make it again with the same id and gets the result of the first. Rejects with WORKSPACE_UNAVAILABLE.
 */
export async function remoteRuntime(options: RemoteOptions): Promise<RemoteRuntime> {
  const { store, workspace, principal = DEFAULT_PRINCIPAL, pollMs = 1_000, connectMs = 20_000 } = options;
  const session = options.session ?? crypto.randomUUID();
  const key = { tenant: principal.tenant, workspace };
  const connection = await connectWorkspace(store.calls, key, connectMs);
  const events = new EventBus();
  const waiter = new CallWaiter(store.calls, principal.tenant, pollMs);
  const calls = new RemoteCalls({ ...options, principal, session, events, waiter, pollMs, connection });
  const byName = (tool: string, args?: unknown, given?: CallOptions) => calls.call(tool, args, given);
  const dispose = async () => {
    calls.close();
    waiter.close();
  };
  return {
    session,
    get role() {
      return connection.facts.role;
    },
    workspace: anchorAt(() => connection.facts.root),
    call: toolCall({ spellCall: (call) => connection.spell(call) }, byName),
    explain: async (tool, args) => (await calls.explain(tool, args)) as Explanation,
    tools: () => connection.facts.tools,
    onToolsChange: (listener) => connection.onChange(listener),
    seen: () => calls.seen(),
    resultOf: (callId, signal) => calls.resultOf(callId, signal),
    watch: (listener, onError) => events.watch(listener, onError),
    pending: async () =>
      (await pendingApprovals(store, principal.tenant)).filter((stored) => stored.workspace === workspace),
    decide: (approvalId, answer) => decideApproval(store, principal, { approvalId, answer }),
    dispose,
    [Symbol.asyncDispose]: dispose,
  };
}

const DEFAULT_PRINCIPAL: Principal = { tenant: "default", id: "agent" };

function anchorAt(root: () => string): ToolRuntime["workspace"] {
  return {
    get root() {
      return root();
    },
    absolute: (path) => {
      if (path.split("/").includes(".."))
        throw new ToolError("INVALID_PATH", "The path leaves the workspace");
      return path === "" || path === "." ? root() : `${root()}/${path}`;
    },
  };
}
