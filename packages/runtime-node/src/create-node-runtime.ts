import { realpath } from "node:fs/promises";
import { join } from "node:path";
import {
  type AnyToolClass,
  catalog,
  firstOpinion,
  type PlainTool,
  type PolicyRule,
  type ProvidedService,
  type Redact,
  type Role,
  token,
  type WorkspaceStore,
} from "@haft/core";
import { ApprovalStore } from "./approval/approval-store.js";
import { RememberedGrants } from "./approval/remembered-grants.js";
import { approvalPolicy } from "./approval-policy.js";
import { checkWorkspace } from "./check-workspace.js";
import type { HaftConfig } from "./config/haft-config.js";
import { stateDirectoryOf } from "./journal/state-directory.js";
import { type WebAccess, webAccess } from "./network/web-access.js";
import { type ApprovalParts, type NodeRuntime, type NodeRuntimeParts, nodeRuntime } from "./node-runtime.js";
import type { NodeRuntimeOptions } from "./node-runtime-options.js";
import { loadProgramPacks } from "./packs/load-program-packs.js";
import { commandAccess } from "./process/command-access.js";
import { assertKnownTools, type NamedTools } from "./roles/known-tools.js";
import { resolveRole } from "./roles/resolve-role.js";
import { placeholderPolicy } from "./secrets/placeholder-policy.js";
import { createRedactor } from "./secrets/redactor.js";
import { type SecretValue, secretValues } from "./secrets/secret-values.js";
import { openNodeWorkspace } from "./workspace/open-node-workspace.js";

/**
 * A runtime over a real folder, for one role. Everything it holds is its own: two runtimes in one
 * process share nothing but the catalog of imported tools. Rejects with ToolError, before anything
 * is made, when the folder, the role or a rule cannot be used.
 */
export async function createNodeRuntime(given: NodeRuntimeOptions): Promise<NodeRuntime> {
  const folder = await checkWorkspace(given.workspace);
  const env = given.env ?? process.env;
  const stateDirectory = given.stateDirectory ?? stateDirectoryOf(await realpath(folder), env);
  const options = { ...given, env, stateDirectory };
  const role = await resolveRole(options.role ?? "coder");
  const policy = firstOpinion(placeholderPolicy(secretsOf(options)), approvalPolicy(options, role));
  const web = webAccess(options.web, { lookup: options.lookup, env });
  const tools = await toolsOf(options);
  assertKnownTools(namedTools(options, role), tools, options);
  const workspace = await openNodeWorkspace(folder, {
    stateDirectory,
    sensitive: options.paths?.sensitive,
    protected: options.paths?.protected,
  });
  try {
    return assemble(options, { role, policy, tools, workspace, web });
  } catch (thrown) {
    await workspace.close();
    throw thrown;
  }
}

/** Everything that was chosen. */
type SettledOptions = NodeRuntimeOptions & Required<Pick<NodeRuntimeOptions, "env" | "stateDirectory">>;

interface Found extends Pick<NodeRuntimeParts, "role" | "policy" | "tools" | "workspace"> {
  readonly web: WebAccess;
}

function assemble(options: SettledOptions, { web, ...found }: Found): NodeRuntime {
  const { workspace } = found;
  const { services: forCommands, ...able } = commandAccess({
    ...options,
    workspace,
    redact: redactOf(options),
  });
  const services = [...configServices(options), ...web.services, ...forCommands, ...(options.services ?? [])];
  const parts = runtimeParts(options, { ...found, ...able, network: web.network, services });
  const runtime = nodeRuntime(parts, approvalParts(options, workspace));
  return disposing(runtime, async () => {
    await able.processes.dispose();
    await workspace.close();
  });
}

type Opened = Pick<
  NodeRuntimeParts,
  "role" | "policy" | "tools" | "workspace" | "processes" | "sandbox" | "network" | "services"
>;

function runtimeParts(options: SettledOptions, opened: Opened): NodeRuntimeParts {
  const { dialect, readBeforeWrite, acceptsImages, limits } = options;
  return {
    ...opened,
    ...options.capabilities,
    ...(dialect && { dialect }),
    ...(readBeforeWrite && { readBeforeWrite }),
    ...(acceptsImages !== undefined && { acceptsImages }),
    limits: { callMs: limits?.callMs ?? DEFAULT_CALL_MS },
    disabledTools: disabledTools(options),
    redact: redactOf(options),
  };
}

function approvalParts(options: SettledOptions, workspace: WorkspaceStore): ApprovalParts {
  const { stateDirectory: state } = options;
  const isProtected = (path: string) => workspace.vet(path, { purpose: "write" }).protected;
  return {
    store: new ApprovalStore(join(state, "approvals")),
    grants: new RememberedGrants(join(state, "grants"), isProtected),
    approver: options.approver,
    isAnswered: options.approver !== undefined || options.decidable === true,
    timeoutMs: options.approvals?.timeoutMs ?? DEFAULT_APPROVAL_MS,
  };
}

const DEFAULT_CALL_MS = 30_000;
const DEFAULT_APPROVAL_MS = 5 * 60 * 1000;

async function toolsOf({
  tools,
  packs,
  packsFrom,
}: NodeRuntimeOptions): Promise<readonly (AnyToolClass | PlainTool)[]> {
  if (isToolList(tools)) return tools;
  if (packs === undefined) return catalog.snapshot();
  const loaded = await loadProgramPacks(packs, packsFrom);
  return [...new Set(loaded.flatMap((pack) => pack.tools))];
}

function namedTools(options: NodeRuntimeOptions, role: Role): readonly NamedTools[] {
  const { rules = [] } = options;
  const ofRules = (list: readonly PolicyRule[]) => list.flatMap(({ tool }) => tool ?? []);
  return [
    { where: `The role ${role.name}`, names: [...(role.tools ?? []), ...ofRules(role.rules ?? [])] },
    { where: "A rule", names: ofRules(rules) },
    { where: "The list of disabled tools", names: disabledTools(options) },
  ];
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

function redactOf(options: SettledOptions): Redact {
  const { redact } = options;
  const own = createRedactor(secretsOf(options));
  return redact === undefined ? own : (value) => redact(own(value));
}

function secretsOf({ env, knownSecrets }: SettledOptions): readonly SecretValue[] {
  return secretValues({ env, ...(knownSecrets && { knownSecrets }) });
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
