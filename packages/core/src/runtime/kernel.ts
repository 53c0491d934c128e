import type { Approver } from "../approval/approval-answer.js";
import type { PolicySet } from "../approval/compose-policy.js";
import type { Grants } from "../approval/grants.js";
import type { AuditOutcomes } from "../audit/audit-outcomes.js";
import type { AuditStore } from "../audit/audit-store.js";
import type { Capabilities } from "../capability/capabilities.js";
import type { Dialect } from "../dialect/dialect.js";
import type { EventBus } from "../event/event-bus.js";
import type { Role } from "../permission/role.js";
import type { RegisteredTool } from "../registry/registered-tool.js";
import type { ToolRegistry } from "../registry/tool-registry.js";
import type { ImageContent } from "../result/content.js";
import type { Redact } from "../result/redact.js";
import type { ServiceContainer } from "../service/service-container.js";
import type { CallInspection } from "../tool/call-inspection.js";
import type { LocalFolder, WorkspaceStore } from "../workspace/workspace-store.js";
import type { CallDeadline } from "./call-deadline.js";
import type { Pace } from "./pace.js";
import type { ReadLedger } from "./read-ledger.js";
import type { WriteTurns } from "./write-turns.js";

/** The parts that every step of a call uses. */
export interface Kernel extends PolicySet {
  readonly role: Role;
  readonly registry: ToolRegistry;
  readonly workspace: WorkspaceStore;
  readonly capabilities: Capabilities;
  readonly services: ServiceContainer;
  /** Each tool's view of the store. */
  readonly opened: WeakMap<RegisteredTool, object>;
  /** The local folder without the paths that rules close, keyed by those rules. */
  readonly closedFolders: Map<string, LocalFolder>;
  /** Tool inspections of calls, keyed by arguments. */
  readonly inspections: WeakMap<object, CallInspection>;
  readonly approver: Approver | undefined;
  readonly grants: Grants | undefined;
  readonly audit: AuditStore | undefined;
  readonly outcomes: AuditOutcomes | undefined;
  readonly events: EventBus;
  readonly ledger: ReadLedger;
  readonly writeTurns: WriteTurns;
  readonly dialect: Dialect;
  readonly readBeforeWrite: ReadBeforeWrite;
  readonly redact: Redact;
  readonly limits: KernelLimits;
  readonly acceptsImages: boolean;
  /** Aborted when the runtime is disposed. */
  readonly lifeSpan: AbortSignal;
  newId(): string;
}

export type ReadBeforeWrite = "enforce" | "approve" | "off";

export interface KernelLimits {
  readonly callMs: number;
  readonly maxTokens: number;
  readonly maxHeldBytes: number;
}

/** A call in progress. Approved arguments are frozen. */
export interface CallInProgress {
  readonly callId: string;
  readonly tool: string;
  readonly registered: RegisteredTool;
  readonly deadline: CallDeadline;
  /** Yields between the steps of a call that processes a lot of data. */
  readonly pace: Pace;
  readonly isDryRun: boolean;
  /** Who makes the call, where the host says so. */
  readonly principal?: string;
  /** The caller's hook before the first effect. */
  beforeStart?(): void | Promise<void>;
  /** Records of its approval that are being stored. The call does not start before they are. */
  readonly recordings: Promise<void>[];
  /** The arguments as JSON: the form that is approved, recorded and checked. */
  readonly args: Readonly<Record<string, unknown>>;
  /** The arguments as the tool receives them, after its schema's transforms. */
  readonly parsed: unknown;
  readonly warnings: string[];
  /** The number of warnings to keep when the call is rehearsed again. */
  readonly keptWarnings: number;
  readonly images: ImageContent[];
  /** Paths found to contain no links when the call was checked. */
  readonly located: Set<string>;
  /** Paths that the approver saw when approving the call. */
  readonly approvedPaths: Set<string>;
  /** The call is only being explained: no prompt, no event, no effect. */
  readonly isExplained?: boolean;
}
