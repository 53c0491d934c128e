import { nearestNames } from "@haft/text";
import { ApprovalManager } from "../approval/approval-manager.js";
import type { MadeCall } from "../approval/approval-store.js";
import { RememberedGrants } from "../approval/remembered-grants.js";
import { ResumableCalls } from "../approval/resumable-calls.js";
import type { AuditStore } from "../audit/audit-store.js";
import { ToolError } from "../error/tool-error.js";
import type { ChangeJournalStore } from "../journal/change-journal-store.js";
import type { JournalLine } from "../journal/change-record.js";
import { type JournalledWorkspace, journalledWorkspace } from "../journal/journalled-workspace.js";
import { memoryApprovalStore } from "../memory/memory-approval-store.js";
import { memoryAuditStore } from "../memory/memory-audit-store.js";
import { memoryChangeJournalStore } from "../memory/memory-change-journal-store.js";
import { memoryGrantStore } from "../memory/memory-grant-store.js";
import { BUILT_IN_ROLES, type BuiltInRoleName } from "../permission/built-in-roles.js";
import type { Role } from "../permission/role.js";
import { catalog } from "../registry/catalog.js";
import { redactNothing } from "../result/redact.js";
import type { ToolResult } from "../result/tool-result.js";
import { packConfigServices } from "../service/config-section.js";
import { describeChange } from "../workspace/describe-change.js";
import type { WorkspaceStore } from "../workspace/workspace-store.js";
import type { DisposeOptions, Runtime, RuntimeOptions } from "./runtime.js";
import {
  type CallOptions,
  createToolRuntime,
  type LocalRuntime,
  type RuntimeParts,
  toolCall,
} from "./tool-runtime.js";
import { undoPreview } from "./undo-preview.js";

/** Creates a runtime over any workspace store. Rejects with ToolError if a tool, role or service does not fit. */
export async function createRuntime(options: RuntimeOptions): Promise<Runtime> {
  const {
    decidable = false,
    approvalTimeoutMs: timeoutMs = APPROVAL_MS,
    stores = {},
    packConfig,
    ...given
  } = options;
  const role = roleOf(options.role ?? "coder");
  const isAnswered = options.approver !== undefined || decidable;
  const workspace = withHistory(options.workspace, stores.changes);
  const store = stores.approvals ?? memoryApprovalStore();
  const audit = stores.audit ?? memoryAuditStore();
  const redact = options.redact ?? redactNothing;
  const isProtected = (path: string) => workspace.vet(path, { purpose: "write" }).protected;
  const grants = new RememberedGrants(stores.grants ?? memoryGrantStore(), isProtected);
  const running = new Map<string, MadeCall>();
  const manager = new ApprovalManager({
    store,
    grants,
    approver: options.approver,
    timeoutMs,
    role: role.name,
    workspace: workspace.root,
    callOf: (callId) => running.get(callId),
    redact,
  });
  const tools = options.tools ?? catalog.snapshot();
  const services = [...(options.services ?? []), ...(await packConfigServices(tools, packConfig))];
  const parts = { ...given, tools, services, role, workspace, audit };
  const runtime = createToolRuntime(isAnswered ? { ...parts, approver: manager.approver, grants } : parts);
  const calls = new ResumableCalls({ runtime, manager, running, store, workspace });
  return {
    ...runtime,
    ...statefulMethods({ runtime, manager, calls, workspace, grants, audit, redact, isAnswered }),
  };
}

interface StatefulParts extends Required<Pick<RuntimeParts, "redact">> {
  readonly runtime: LocalRuntime;
  readonly manager: ApprovalManager;
  readonly calls: ResumableCalls;
  readonly workspace: JournalledWorkspace;
  readonly grants: RememberedGrants;
  readonly audit: AuditStore;
  readonly isAnswered: boolean;
}

/** Returns the methods that use persistent state. */
function statefulMethods({
  runtime,
  manager,
  calls,
  workspace,
  ...rest
}: StatefulParts): Omit<Runtime, keyof LocalRuntime> & Pick<Runtime, "call" | "dispose"> {
  const { grants, audit, redact, isAnswered } = rest;
  const { history } = workspace;
  const call = (tool: string, args?: unknown, options: CallOptions = {}): Promise<ToolResult> => {
    if (options.callId === undefined || !isAnswered) return runtime.call(tool, args, options);
    return calls.call(options.callId, { tool, args }, options);
  };
  const dispose = async ({ withdraw = false }: DisposeOptions = {}): Promise<void> => {
    if (withdraw) await manager.withdrawOwn();
    await runtime.dispose();
    await manager.idle();
  };
  return {
    call: toolCall(runtime.registry, call),
    pending: () => manager.pending(),
    decide: async (approvalId, answer) => {
      if (!isAnswered) throw notDecidable();
      return calls.decide(approvalId, answer);
    },
    withdraw: (approvalId) => manager.withdraw(approvalId),
    grants: { list: () => grants.list(), revoke: (id) => grants.revoke(id) },
    audit: { list: (afterSeq) => audit.list(afterSeq), verify: () => audit.verify() },
    changes: async () => redact(await history.list()),
    undo: async (callId) => (await history.undo(callId)).map((change) => redact(describeChange(change))),
    previewUndo: async (callIds) => undoPreview(await history.previewUndo(callIds), redact),
    forgetChanges: () => history.forget(),
    dispose,
  };
}

function withHistory(store: WorkspaceStore, changes: ChangeJournalStore | undefined): JournalledWorkspace {
  if (store.history !== undefined) return store as JournalledWorkspace;
  return journalledWorkspace(
    store,
    (changes as ChangeJournalStore<JournalLine> | undefined) ?? memoryChangeJournalStore<JournalLine>(),
  );
}

function roleOf(role: Role | BuiltInRoleName): Role {
  if (typeof role !== "string") return role;
  const known = Object.hasOwn(BUILT_IN_ROLES, role) ? BUILT_IN_ROLES[role] : undefined;
  if (known !== undefined) return known;
  const names = Object.keys(BUILT_IN_ROLES);
  const [nearest] = nearestNames(role, names, 1);
  const advice = nearest === undefined ? "" : ` Did you mean ${nearest}?`;
  throw new ToolError("INVALID_ARGUMENTS", `Unknown role: ${JSON.stringify(role)}`, {
    hint: `Use ${names.join(", ")}, or an object with name and permissions.${advice}`,
  });
}

function notDecidable(): ToolError {
  return new ToolError("APPROVAL_NOT_FOUND", "This runtime does not accept decisions", {
    hint: "Create it with decidable: true, or with an approver.",
  });
}

const APPROVAL_MS = 5 * 60 * 1000;
