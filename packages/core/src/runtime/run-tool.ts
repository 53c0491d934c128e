import { truncateLine } from "@haft/text";
import { messageOf, ToolError } from "../error/tool-error.js";
import { declaredPermissions } from "../permission/tool-permission.js";
import type { CallContext } from "../tool/tool-context.js";
import { GuardedStore } from "../workspace/guarded-store.js";
import {
  lacking,
  openWorkspace,
  type WorkspaceKeys,
  type WorkspaceSource,
} from "../workspace/open-workspace.js";
import type { CallDeadline } from "./call-deadline.js";
import { guardedCapability } from "./guard-capabilities.js";
import { type GuardOptions, guardPaths } from "./guard-paths.js";
import type { CallInProgress, Kernel } from "./kernel.js";

/** Runs the tool over a workspace within the call's deadline. Returns its validated value. */
export async function runTool(
  kernel: Kernel,
  call: CallInProgress,
  { workspace, guard }: ToolPlace,
): Promise<unknown> {
  const context = contextOf(kernel, call, { workspace, guard });
  const returned = await call.deadline.within(() => call.registered.instance().run(call.parsed, context));
  const { value, problems } = await call.registered.validateOutput(returned);
  const [first] = problems;
  if (first !== undefined)
    throw defect(
      `${call.tool} returned a value that does not match its output schema: ${first.pointer || "the value"} ${first.message}`,
    );
  if (!isLimited(call.registered.definition.output)) assertJson(call.tool, value);
  return value;
}

/** A schema without keywords accepts any value. */
function isLimited(output: object): boolean {
  for (const _ in output) return true;
  return false;
}

/** Clients receive the value as JSON. One that refers to itself would fail only there, and the answer would be lost. */
function assertJson(tool: string, value: unknown): void {
  try {
    JSON.stringify(value);
  } catch (cause) {
    throw defect(
      `${tool} returned a value that cannot be written as JSON: ${messageOf(cause).split("\n")[0]}`,
      cause,
    );
  }
}

function defect(message: string, cause?: unknown): ToolError {
  return new ToolError("INTERNAL", message, {
    hint: "This is a defect of the tool, not of the call.",
    cause,
  });
}

/** Where a tool runs. */
interface ToolPlace {
  readonly workspace: WorkspaceSource;
  /** How the store itself is guarded. An overlay is created over a guarded store. */
  readonly guard?: GuardOptions | undefined;
}

function contextOf(kernel: Kernel, call: CallInProgress, { workspace, guard }: ToolPlace): object {
  const declared = declaredPermissions(call.registered.definition);
  const held = declared.filter((permission) => kernel.role.permissions.includes(permission));
  const { deadline } = call;
  const context: Omit<CallContext, "signal"> & { readonly workspace: object } = {
    ...capabilitiesFor(kernel, call, { declared, held }),
    workspace: workspaceFor(kernel, call, { source: workspace, guard, declared, held }),
    callId: call.callId,
    remainingMs: () => deadline.remainingMs(),
    report: (progress) => {
      if (kernel.events.isWatched && !deadline.isOver && call.isExplained !== true)
        kernel.events.emit(call, { type: "progress", progress: kernel.redact(progress) });
    },
    warn: (message) => addWarning(kernel, call, message),
    attach: (image) => kernel.acceptsImages && call.images.push(image) > 0,
    rehearsing: workspace !== kernel.workspace,
  };
  return Object.assign(new WithSignal(deadline), context);
}

/** Limits the warnings, so that a tool that warns in a loop does not exhaust the memory or the model's context. */
function addWarning(kernel: Kernel, { warnings }: CallInProgress, message: string): void {
  if (warnings.length > MAX_WARNINGS) return;
  const isLast = warnings.length === MAX_WARNINGS;
  // Redacted first: half a secret could not be recognized.
  const text = isLast ? TOO_MANY : truncateLine(kernel.redact(String(message)), MAX_WARNING_CHARS);
  warnings.push(text);
}

const MAX_WARNINGS = 100;
const MAX_WARNING_CHARS = 2000;
const TOO_MANY = `The tool made more than ${MAX_WARNINGS} warnings; the others are left out.`;

/**
 * Creates the signal lazily: most tools never use it, and it would keep the call's objects alive until a full garbage
 * collection. It is an own property, so that a copy of the context has it too. All instances share one getter, because
 * the engine would keep each separate getter forever.
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

/** The store itself is opened once per tool, an overlay once per rehearsal. */
function workspaceFor(kernel: Kernel, call: CallInProgress, keys: Keys): object {
  const { workspace, opened } = kernel;
  const { registered } = call;
  if (keys.source !== workspace) return openWorkspace(keys.source, keys);
  const guard = guardPaths(kernel, call, keys.guard);
  if (guard !== undefined) return openWorkspace(new GuardedStore(workspace, guard), keys);
  let found = opened.get(registered);
  if (found === undefined) {
    found = openWorkspace(workspace, keys);
    opened.set(registered, found);
  }
  return found;
}

interface Keys extends WorkspaceKeys {
  readonly source: WorkspaceSource;
  readonly guard: GuardOptions | undefined;
}

function capabilitiesFor(kernel: Kernel, call: CallInProgress, { declared, held }: WorkspaceKeys): object {
  const context: Record<string, object> = {};
  for (const permission of declared) {
    const capability = CAPABILITIES[permission as keyof typeof CAPABILITIES];
    if (capability === undefined) continue;
    const [name, purpose] = capability;
    const isHeld = held.includes(permission);
    const refusal = () =>
      isHeld
        ? new ToolError("EXECUTION_ERROR", `This runtime has no ${name}: nothing here ${purpose}`)
        : lacking(permission);
    context[name] = (isHeld && guardedCapability(kernel, call, name)) || refusing(refusal);
  }
  return context;
}

const CAPABILITIES = {
  ExecuteCommands: ["processes", "runs commands"],
  RunCode: ["sandbox", "runs code"],
  NetworkAccess: ["network", "reaches the network"],
} as const;

/** Placeholder for an unavailable part: any use fails clearly, never with a silent fallback. */
function refusing(refusal: () => ToolError): object {
  const refuse = () => Promise.reject(refusal());
  return { run: refuse, open: refuse, fetch: refuse };
}
