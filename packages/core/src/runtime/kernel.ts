import type { ApprovalGate, ApprovalPolicy } from "../approval/approval.js";
import type { Capabilities } from "../capability/capabilities.js";
import type { Dialect } from "../dialect/dialect.js";
import type { EventBus } from "../event/event-bus.js";
import type { Role } from "../permission/role.js";
import type { RegisteredTool } from "../registry/registered-tool.js";
import type { ToolRegistry } from "../registry/tool-registry.js";
import type { ImageContent } from "../result/content.js";
import type { Redact } from "../result/redact.js";
import type { ServiceContainer } from "../service/service-container.js";
import type { WorkspaceStore } from "../workspace/workspace-store.js";
import type { CallDeadline } from "./call-deadline.js";
import type { ReadLedger } from "./read-ledger.js";
import type { WriteTurns } from "./write-turns.js";

/** What every step of a call works with. */
export interface Kernel {
  readonly role: Role;
  readonly registry: ToolRegistry;
  readonly workspace: WorkspaceStore;
  readonly capabilities: Capabilities;
  readonly services: ServiceContainer;
  /** The store as each tool sees it. */
  readonly opened: WeakMap<RegisteredTool, object>;
  readonly policy: ApprovalPolicy;
  readonly gate: ApprovalGate | undefined;
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

/** One call on its way. What a step learns it adds here; what was approved is frozen. */
export interface CallInHand {
  readonly callId: string;
  readonly tool: string;
  readonly registered: RegisteredTool;
  readonly deadline: CallDeadline;
  readonly isDryRun: boolean;
  readonly args: Readonly<Record<string, unknown>>;
  readonly warnings: string[];
  /** How many of the warnings outlive a new rehearsal. */
  readonly keptWarnings: number;
  readonly images: ImageContent[];
  /** Paths without a link in them, as found when the call was judged. */
  readonly located: Set<string>;
}
