import type { ApprovalGate, ApprovalPolicy } from "../approval/approval.js";
import { rolePolicy } from "../approval/role-policy.js";
import type { Capabilities } from "../capability/capabilities.js";
import { type DialectName, dialectOf } from "../dialect/dialect.js";
import { ToolError } from "../error/tool-error.js";
import { EventBus } from "../event/event-bus.js";
import type { EventListener } from "../event/tool-event.js";
import type { Role } from "../permission/role.js";
import type { ToolDescription } from "../registry/describe-tool.js";
import { ToolRegistry } from "../registry/tool-registry.js";
import { DEFAULT_MAX_TOKENS } from "../result/bound-text.js";
import { type Redact, redactNothing } from "../result/redact.js";
import type { ToolResult } from "../result/tool-result.js";
import { type ProvidedService, ServiceContainer } from "../service/service-container.js";
import type { PlainTool } from "../tool/plain-tool.js";
import type { AnyToolClass } from "../tool/tool.js";
import type { AnyDefinition, GivenOf, ResultOf, ShownFile } from "../tool/tool-definition.js";
import type { WorkspaceStore } from "../workspace/workspace-store.js";
import { CallLedger } from "./call-ledger.js";
import { executeCall } from "./execute-call.js";
import { type Explanation, explainCall } from "./explain-call.js";
import type { Kernel, KernelLimits, ReadBeforeWrite } from "./kernel.js";
import { ReadLedger } from "./read-ledger.js";
import { settleFailure } from "./settle-call.js";
import { WriteTurns } from "./write-turns.js";

/** Runs calls for one role over one workspace. */
export interface ToolRuntime {
  readonly registry: ToolRegistry;
  readonly role: Role;
  readonly workspace: WorkspaceStore;
  /** One call as a model makes it. Never rejects. */
  call(tool: string, args?: unknown, options?: CallOptions): Promise<ToolResult>;
  /** The same from code, typed by the tool's definition. Never rejects. */
  run<D extends AnyDefinition>(
    definition: D,
    args: GivenOf<D>,
    options?: CallOptions,
  ): Promise<ToolResult<ResultOf<D>>>;
  /** What would decide a call, and why; nothing is asked and nothing changes. */
  explain(tool: string, args?: unknown): Promise<Explanation>;
  tools(): readonly ToolDescription[];
  /** Files whose content this session has seen; given to another runtime as `alreadySeen` it goes on there. */
  seen(): readonly ShownFile[];
  watch(listener: EventListener): () => void;
  /** Cancels what is running and lets go of everything. */
  dispose(): Promise<void>;
}

export interface CallOptions {
  /** Runs at most once. Made up when left out. */
  readonly callId?: string;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  /** Rehearse only: the result shows what would change. */
  readonly dryRun?: boolean;
  /** Carried with the result, for the loop that drives the calls. */
  readonly terminate?: boolean;
  /**
   * Files the caller saw before this runtime was made, as it saw them: a call whose approval outlived
   * its process was made by somebody who had read what it overwrites.
   */
  readonly alreadySeen?: readonly ShownFile[];
}

export interface RuntimeParts extends Capabilities {
  readonly role: Role;
  readonly tools: readonly (AnyToolClass | PlainTool)[];
  readonly workspace: WorkspaceStore;
  readonly policy?: ApprovalPolicy;
  /** Nobody to ask means deny. */
  readonly gate?: ApprovalGate;
  readonly services?: readonly ProvidedService[];
  readonly dialect?: DialectName;
  readonly disabledTools?: readonly string[];
  readonly readBeforeWrite?: ReadBeforeWrite;
  readonly redact?: Redact;
  readonly limits?: Partial<KernelLimits>;
  /** Whether the model behind this runtime takes images. */
  readonly acceptsImages?: boolean;
}

/** A runtime from its parts. Everything it uses is given here; nothing is looked up elsewhere. */
export function createToolRuntime(parts: RuntimeParts): ToolRuntime {
  const life = new AbortController();
  const services = new ServiceContainer(parts.services);
  const kernel = createKernel(parts, services, life.signal);
  for (const tool of parts.tools) kernel.registry.register(tool);
  for (const name of parts.disabledTools ?? []) kernel.registry.disable(name);
  const calls = new CallLedger((bytes) => parts.workspace.digest(bytes));
  const call = (tool: string, args?: unknown, options: CallOptions = {}): Promise<ToolResult> => {
    const { callId, ...rest } = options;
    if (callId === undefined) return executeCall(kernel, { callId: kernel.newId(), tool, args, ...rest });
    try {
      return calls.once(callId, { tool, args, dryRun: options.dryRun }, () =>
        executeCall(kernel, { callId, tool, args, ...rest }),
      );
    } catch (conflict) {
      return Promise.resolve(
        settleFailure(kernel, conflict, { callId, tool, terminate: false, startedAt: performance.now() }),
      );
    }
  };
  return {
    registry: kernel.registry,
    role: parts.role,
    workspace: parts.workspace,
    call,
    run: (definition, args, options) => call(definition.name, args, options) as Promise<ToolResult<never>>,
    explain: (tool, args) => explainCall(kernel, tool, args),
    tools: () => kernel.registry.list(),
    seen: () => kernel.ledger.files(),
    watch: (listener) => kernel.events.watch(listener),
    dispose: async () => {
      life.abort(new ToolError("CANCELLED", "The runtime was closed"));
      await services.dispose();
    },
  };
}

function createKernel(parts: RuntimeParts, services: ServiceContainer, lifeSpan: AbortSignal): Kernel {
  const { role, workspace, processes, sandbox, network } = parts;
  const dialect = dialectOf(parts.dialect ?? "canonical");
  return {
    role,
    workspace,
    dialect,
    lifeSpan,
    services,
    opened: new WeakMap(),
    registry: new ToolRegistry({ role, dialect, services, absolute: (path) => workspace.absolute(path) }),
    capabilities: {
      ...(processes && { processes }),
      ...(sandbox && { sandbox }),
      ...(network && { network }),
    },
    policy: rolePolicy(role, parts.policy),
    gate: parts.gate,
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
