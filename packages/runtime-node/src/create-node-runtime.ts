import { join } from "node:path";
import {
  type Capabilities,
  createRuntime,
  type DisposeOptions,
  type ProvidedService,
  type Runtime,
  type RuntimeOptions,
  token,
  wrapRuntime,
} from "@haft/core";
import { WORK_LIMITER, WorkLimiter } from "@haft/core/capabilities";
import type { JournalLine } from "@haft/core/journal";
import type { ChangeJournalStore } from "@haft/core/stores";
import { FileApprovalStore } from "./approval/file-approval-store.js";
import { FileGrantStore } from "./approval/file-grant-store.js";
import { FileAuditStore } from "./audit/file-audit-store.js";
import type { HaftConfig } from "./config/haft-config.js";
import { IdleWarmth } from "./idle-warmth.js";
import { auditAnchorOf } from "./journal/state-directory.js";
import type { NodeRuntimeOptions } from "./node-runtime-options.js";
import { commandAccess } from "./process/command-access.js";
import { outputRedactor, shapeRedactor } from "./secrets/output-redactor.js";
import { redactedCapabilities } from "./secrets/redacted-capabilities.js";
import { type SettledOptions, settleOptions } from "./settle-options.js";
import type { NodeWorkspace } from "./workspace/node-workspace.js";
import { openNodeWorkspace } from "./workspace/open-node-workspace.js";

/** A runtime over a folder of this machine. `await using` disposes it. */
export interface NodeRuntime extends Runtime, AsyncDisposable {}

/** Validated options; nothing is open yet. */
export interface PreparedNodeRuntime {
  /** Opens a runtime. An approver given here replaces that of the options. */
  open(attached?: Pick<NodeRuntimeOptions, "approver">): Promise<NodeRuntime>;
}

/**
 * Creates a runtime over a real folder, for one role. Two runtimes in one process share only the catalog of imported
 * tools. Rejects with ToolError, before creating anything, if the folder, the role or a rule is invalid.
 */
export async function createNodeRuntime(options: NodeRuntimeOptions): Promise<NodeRuntime> {
  return (await prepareNodeRuntime(options)).open();
}

/**
 * Validates options as `createNodeRuntime` does, so that a host can report mistakes before a client attaches an
 * approver.
 */
export async function prepareNodeRuntime(given: NodeRuntimeOptions): Promise<PreparedNodeRuntime> {
  const settled = await settleOptions(given);
  return {
    open: (attached) => openRuntime({ ...settled, options: { ...settled.options, ...attached } }),
  };
}

async function openRuntime(settled: SettledOptions): Promise<NodeRuntime> {
  const { options, folder } = settled;
  const workspace = await openNodeWorkspace(folder, {
    stateDirectory: options.stateDirectory,
    env: options.env,
    changes: options.stores?.changes as ChangeJournalStore<JournalLine> | undefined,
    sensitive: options.paths?.sensitive,
    protected: options.paths?.protected,
  });
  try {
    return await assemble(settled, workspace);
  } catch (thrown) {
    await workspace.close();
    throw thrown;
  }
}

async function assemble(settled: SettledOptions, workspace: NodeWorkspace): Promise<NodeRuntime> {
  const { options, role, tools, decides, web, redact } = settled;
  const { services: forCommands, ...able } = commandAccess({
    ...options,
    workspace,
    network: web.network,
    redact,
    shapes: shapeRedactor(options.secretShapes),
    canAsk: options.approver !== undefined || options.decidable === true,
  });
  const services: readonly ProvidedService[] = [
    ...configServices(options),
    ...web.services,
    ...forCommands,
    [WORK_LIMITER, LIMITER_OF_PROCESS],
    ...(options.services ?? []),
  ];
  const runtime = await createRuntime({
    role,
    tools,
    workspace,
    ...decides,
    ...able,
    network: web.network,
    services,
    ...hostCapabilities(settled, workspace),
    ...runtimeOptions(settled),
  });
  const release = async () => {
    await able.processes.dispose();
    await workspace.close();
  };
  if (options.warm !== "idle") return disposing(runtime, release);
  const warmth = new IdleWarmth(runtime);
  return disposing(wrapRuntime(runtime, warmth.aroundCall), release, () => warmth.end());
}

/** Returns the options beyond the folder. Files in the state directory replace stores that were not given. */
function runtimeOptions(settled: SettledOptions): Omit<RuntimeOptions, "workspace" | "role"> {
  const { options, disabledTools, imported, redact } = settled;
  const {
    dialect,
    readBeforeWrite,
    acceptsImages,
    approver,
    limits,
    stores,
    stateDirectory: state,
  } = options;
  return {
    ...(dialect && { dialect }),
    ...(readBeforeWrite && { readBeforeWrite }),
    ...(acceptsImages !== undefined && { acceptsImages }),
    ...(approver && { approver }),
    decidable: options.decidable === true,
    approvalTimeoutMs: options.approvals?.timeoutMs ?? DEFAULT_APPROVAL_MS,
    limits: { callMs: limits?.callMs ?? DEFAULT_CALL_MS },
    disabledTools,
    imported,
    ...(options.isAddedLater && { isAddedLater: options.isAddedLater }),
    redact,
    ...(options.packConfig && { packConfig: options.packConfig }),
    stores: {
      approvals: stores?.approvals ?? new FileApprovalStore(join(state, "approvals")),
      grants: stores?.grants ?? new FileGrantStore(join(state, "grants")),
      audit: stores?.audit ?? new FileAuditStore(state, { anchor: auditAnchorOf(state, options.env) }),
    },
  };
}

/** Redacts the output of the host's capabilities like that of the built-in ones. */
function hostCapabilities({ options, redact }: SettledOptions, { local }: NodeWorkspace): Capabilities {
  const shapes = shapeRedactor(options.secretShapes);
  return redactedCapabilities(options.capabilities, outputRedactor(local, { known: redact, shapes }));
}

/** One for all runtimes, because memory is measured for the process. */
const LIMITER_OF_PROCESS = new WorkLimiter();

const DEFAULT_CALL_MS = 30_000;
const DEFAULT_APPROVAL_MS = 5 * 60 * 1000;

/** Provides the settings of packs to their tools as services: `token("config.limits")` is the section `limits`. */
function configServices(options: NodeRuntimeOptions): readonly ProvidedService[] {
  return CONFIG_SECTIONS.map((section) => [token<unknown>(`config.${section}`), options[section] ?? {}]);
}

const CONFIG_SECTIONS = ["commands", "sandbox", "limits"] as const satisfies (keyof HaftConfig)[];

/** Disposes everything once, however often it is called. `before` runs ahead of the runtime's own disposal. */
function disposing(
  runtime: Runtime,
  release: () => Promise<void>,
  before: () => Promise<void> = async () => {},
): NodeRuntime {
  let ended: Promise<void> | undefined;
  const dispose = (options?: DisposeOptions): Promise<void> => {
    ended ??= before()
      .then(() => runtime.dispose(options))
      .then(release);
    return ended;
  };
  return { ...runtime, dispose, [Symbol.asyncDispose]: () => dispose() };
}
