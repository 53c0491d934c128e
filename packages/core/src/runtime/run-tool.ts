import { ToolError } from "../error/tool-error.js";
import { declaredPermissions, type ToolPermission } from "../permission/tool-permission.js";
import type { CallContext } from "../tool/tool-context.js";
import {
  lacking,
  openWorkspace,
  type WorkspaceKeys,
  type WorkspaceSource,
} from "../workspace/open-workspace.js";
import type { CallDeadline } from "./call-deadline.js";
import type { CallInHand, Kernel } from "./kernel.js";

/** Runs the tool itself over a workspace, within the call's deadline; its value, validated. */
export async function runTool(
  kernel: Kernel,
  call: CallInHand,
  workspace: WorkspaceSource,
): Promise<unknown> {
  const context = contextOf(kernel, call, workspace);
  const value = await call.deadline.within(() => call.registered.instance().run(call.args, context));
  const problems = await call.registered.validateOutput(value);
  if (problems.length === 0) return value;
  const [first] = problems;
  throw new ToolError(
    "INTERNAL",
    `${call.tool} returned something else than it declares: ${first?.pointer || "the value"} ${first?.message}`,
    {
      hint: "This is a defect of the tool, not of the call.",
    },
  );
}

function contextOf(kernel: Kernel, call: CallInHand, workspace: WorkspaceSource): object {
  const declared = declaredPermissions(call.registered.definition);
  const held = declared.filter((permission) => kernel.role.permissions.includes(permission));
  const { deadline } = call;
  const context: Omit<CallContext, "signal"> & { readonly workspace: object } = {
    ...capabilitiesFor(kernel, declared, held),
    workspace: workspaceFor(kernel, call, { source: workspace, declared, held }),
    callId: call.callId,
    remainingMs: () => deadline.remainingMs(),
    report: (progress) => {
      if (kernel.events.isWatched && !deadline.isOver)
        kernel.events.emit(call, { type: "progress", progress: kernel.redact(progress) });
    },
    warn: (message) => {
      call.warnings.push(message);
    },
    attach: (image) => kernel.acceptsImages && call.images.push(image) > 0,
    rehearsing: workspace !== kernel.workspace,
  };
  return Object.assign(new WithSignal(deadline), context);
}

/**
 * Most tools never look at their signal, and making one is dear: what belongs to the call would outlive it until the
 * whole heap is collected. A property of its own, so that a copy of the context has it too, but one getter for
 * all, as each getter of its own would be kept by the engine for good.
 */
class WithSignal {
  static readonly #property: PropertyDescriptor & ThisType<WithSignal> = {
    enumerable: true,
    get() {
      return this.#deadline.signal;
    },
  };
  readonly #deadline: CallDeadline;

  constructor(deadline: CallDeadline) {
    this.#deadline = deadline;
    Object.defineProperty(this, "signal", WithSignal.#property);
  }
}

/** The store itself is opened for a tool once, a rehearsal each time. */
function workspaceFor({ workspace, opened }: Kernel, { registered }: CallInHand, keys: Keys): object {
  if (keys.source !== workspace) return openWorkspace(keys.source, keys);
  let found = opened.get(registered);
  if (found === undefined) {
    found = openWorkspace(workspace, keys);
    opened.set(registered, found);
  }
  return found;
}

interface Keys extends WorkspaceKeys {
  readonly source: WorkspaceSource;
}

function capabilitiesFor(
  { capabilities }: Kernel,
  declared: readonly ToolPermission[],
  held: readonly ToolPermission[],
): object {
  const context: Record<string, object> = {};
  for (const permission of declared) {
    const capability = CAPABILITIES[permission as keyof typeof CAPABILITIES];
    if (capability === undefined) continue;
    const [name, purpose] = capability;
    const refusal = held.includes(permission)
      ? new ToolError("EXECUTION_ERROR", `This runtime has no ${name}: nothing here ${purpose}`)
      : lacking(permission);
    context[name] = (held.includes(permission) && capabilities[name]) || refusing(refusal);
  }
  return context;
}

const CAPABILITIES = {
  ExecuteCommands: ["processes", "runs commands"],
  RunCode: ["sandbox", "runs code"],
  NetworkAccess: ["network", "reaches the network"],
} as const;

/** Stands where there is nothing to use: any use of it is a clear failure, never a silent fallback. */
function refusing(refusal: ToolError): object {
  const refuse = () => Promise.reject(refusal);
  return { run: refuse, open: refuse, fetch: refuse };
}
