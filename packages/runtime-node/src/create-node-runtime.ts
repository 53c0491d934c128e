import { join } from "node:path";
import {
  type AnyToolClass,
  catalog,
  type PlainTool,
  type ProvidedService,
  type Redact,
  token,
  type WorkspaceStore,
} from "@haft/core";
import { ApprovalStore } from "./approval/approval-store.js";
import { RememberedGrants } from "./approval/remembered-grants.js";
import { approvalPolicy } from "./approval-policy.js";
import { checkWorkspace } from "./check-workspace.js";
import type { HaftConfig } from "./config/haft-config.js";
import { stateDirectoryOf } from "./journal/state-directory.js";
import { webAccess } from "./network/web-access.js";
import { type ApprovalParts, type NodeRuntime, type NodeRuntimeParts, nodeRuntime } from "./node-runtime.js";
import type { NodeRuntimeOptions } from "./node-runtime-options.js";
import { loadPacks } from "./packs/load-packs.js";
import { commandAccess } from "./process/command-access.js";
import { resolveRole } from "./roles/resolve-role.js";
import { createRedactor } from "./secrets/redactor.js";
import { secretValues } from "./secrets/secret-values.js";
import { openNodeWorkspace } from "./workspace/open-node-workspace.js";

/**
 * A runtime over a real folder, for one role. Everything it holds is its own: two runtimes in one
 * process share nothing but the catalog of imported tools. Rejects with ToolError, before anything
 * is made, when the folder, the role or a rule cannot be used.
 */
export async function createNodeRuntime(options: NodeRuntimeOptions): Promise<NodeRuntime> {
  const folder = await checkWorkspace(options.workspace);
  const role = await resolveRole(options.role ?? "coder");
  const policy = options.policy ?? approvalPolicy([...(role.rules ?? []), ...(options.rules ?? [])]);
  const env = options.env ?? process.env;
  const web = webAccess(options.web, { lookup: options.lookup, env });
  const tools = await toolsOf(options, folder);
  const workspace = await openNodeWorkspace(folder, {
    stateDirectory: options.stateDirectory,
    sensitive: options.paths?.sensitive,
    protected: options.paths?.protected,
  });
  const { stateDirectory } = options;
  const { processes, ...commands } = commandAccess({ workspace, env, stateDirectory });
  const { network } = web;
  const provided = [...configServices(options), ...web.services, ...commands.services];
  const services = [...provided, ...(options.services ?? [])];
  const parts = runtimeParts(options, { role, policy, tools, workspace, processes, network, services });
  const runtime = nodeRuntime(parts, approvalParts(options, workspace));
  return disposing(runtime, async () => {
    await processes.dispose();
    await workspace.close();
  });
}

type Opened = Pick<
  NodeRuntimeParts,
  "role" | "policy" | "tools" | "workspace" | "processes" | "network" | "services"
>;

function runtimeParts(options: NodeRuntimeOptions, opened: Opened): NodeRuntimeParts {
  const { dialect, readBeforeWrite, acceptsImages, limits } = options;
  return {
    ...opened,
    ...options.capabilities,
    ...(dialect && { dialect }),
    ...(readBeforeWrite && { readBeforeWrite }),
    ...(acceptsImages !== undefined && { acceptsImages }),
    ...(limits?.callMs !== undefined && { limits: { callMs: limits.callMs } }),
    disabledTools: disabledTools(options),
    redact: redactOf(options),
  };
}

function approvalParts(options: NodeRuntimeOptions, workspace: WorkspaceStore): ApprovalParts {
  const state = options.stateDirectory ?? stateDirectoryOf(workspace.root);
  const isProtected = (path: string) => workspace.vet(path, { purpose: "write" }).protected;
  return {
    store: new ApprovalStore(join(state, "approvals")),
    grants: new RememberedGrants(join(state, "grants"), isProtected),
    approver: options.approver,
    isAnswered: options.approver !== undefined || options.decidable === true,
    timeoutMs: options.approvals?.timeoutMs ?? DEFAULT_APPROVAL_MS,
  };
}

const DEFAULT_APPROVAL_MS = 5 * 60 * 1000;

async function toolsOf(
  { tools, packs }: NodeRuntimeOptions,
  folder: string,
): Promise<readonly (AnyToolClass | PlainTool)[]> {
  if (isToolList(tools)) return tools;
  if (packs === undefined) return catalog.snapshot();
  const loaded = await loadPacks(packs, folder);
  return [...new Set(loaded.flatMap((pack) => pack.tools))];
}

function disabledTools({ tools, disabledTools = [] }: NodeRuntimeOptions): readonly string[] {
  return isToolList(tools) ? disabledTools : [...disabledTools, ...(tools?.disabled ?? [])];
}

function isToolList(tools: NodeRuntimeOptions["tools"]): tools is readonly (AnyToolClass | PlainTool)[] {
  return Array.isArray(tools);
}

/** Settings of packs reach their tools as services: `token("config.limits")` is the section `limits`. */
function configServices(options: NodeRuntimeOptions): readonly ProvidedService[] {
  return CONFIG_SECTIONS.map((section) => [token<unknown>(`config.${section}`), options[section] ?? {}]);
}

const CONFIG_SECTIONS = ["commands", "sandbox", "limits"] as const satisfies (keyof HaftConfig)[];

function redactOf({ env = process.env, knownSecrets, redact }: NodeRuntimeOptions): Redact {
  const own = createRedactor(secretValues({ env, ...(knownSecrets && { knownSecrets }) }));
  return redact === undefined ? own : (value) => redact(own(value));
}

/** Ends everything once, however often it is asked to. */
function disposing(runtime: NodeRuntime, letGo: () => Promise<void>): NodeRuntime {
  let ended: Promise<void> | undefined;
  const dispose = (): Promise<void> => {
    ended ??= runtime.dispose().then(letGo);
    return ended;
  };
  return { ...runtime, dispose, [Symbol.asyncDispose]: dispose };
}
