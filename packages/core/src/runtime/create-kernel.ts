import { makePolicySet } from "../approval/compose-policy.js";
import { AuditOutcomes } from "../audit/audit-outcomes.js";
import type { Capabilities } from "../capability/capabilities.js";
import { dialectOf } from "../dialect/dialect.js";
import { EventBus } from "../event/event-bus.js";
import { ToolRegistry } from "../registry/tool-registry.js";
import { DEFAULT_MAX_TOKENS } from "../result/bound-text.js";
import { redactNothing } from "../result/redact.js";
import type { ServiceContainer } from "../service/service-container.js";
import type { Kernel, KernelLimits } from "./kernel.js";
import { ReadLedger } from "./read-ledger.js";
import type { RuntimeParts } from "./tool-runtime.js";
import { WriteTurns } from "./write-turns.js";

/** Fills in defaults. `lifeSpan` aborts when the runtime is disposed. */
export function createKernel(parts: RuntimeParts, services: ServiceContainer, lifeSpan: AbortSignal): Kernel {
  const { role, workspace, processes, sandbox, network } = parts;
  const dialect = dialectOf(parts.dialect ?? "canonical");
  return {
    role,
    workspace,
    dialect,
    lifeSpan,
    services,
    opened: new WeakMap(),
    registry: new ToolRegistry({
      role,
      dialect,
      services,
      imported: parts.imported ?? [],
      capabilities: { processes, sandbox, network } as Capabilities,
      absolute: (path) => workspace.absolute(path),
    }),
    capabilities: {
      ...(processes && { processes }),
      ...(sandbox && { sandbox }),
      ...(network && { network }),
    },
    ...makePolicySet(role, parts),
    inspections: new WeakMap(),
    closedFolders: new Map(),
    approver: parts.approver,
    grants: parts.grants,
    audit: parts.audit,
    outcomes: parts.audit === undefined ? undefined : new AuditOutcomes(parts.audit),
    events: new EventBus(),
    ledger: new ReadLedger(),
    writeTurns: new WriteTurns(),
    readBeforeWrite: parts.readBeforeWrite ?? "enforce",
    redact: parts.redact ?? redactNothing,
    limits: { ...DEFAULT_LIMITS, ...parts.limits },
    acceptsImages: parts.acceptsImages ?? true,
    newId: () => crypto.randomUUID(),
  };
}

const DEFAULT_LIMITS: KernelLimits = {
  callMs: 60_000,
  maxTokens: DEFAULT_MAX_TOKENS,
  maxHeldBytes: 20 * 1024 * 1024,
};
