import type { ToolResult } from "../result/tool-result.js";
import { pathArguments } from "../schema/path-arguments.js";
import type { ShownFile } from "../tool/tool-definition.js";
import { describeChange } from "../workspace/describe-change.js";
import { prefetch } from "../workspace/prefetched-store.js";
import { CallDeadline } from "./call-deadline.js";
import type { Outcome } from "./call-effects.js";
import { callInProgress } from "./call-in-progress.js";
import { cloneJson } from "./clone-json.js";
import type { CallInProgress, Kernel } from "./kernel.js";
import { parseArguments } from "./parse-arguments.js";
import { performCall } from "./perform-call.js";
import { type Settlement, settleFailure, settleSuccess } from "./settle-call.js";

interface CallRequest {
  readonly callId: string;
  readonly tool: string;
  readonly args: unknown;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  readonly dryRun?: boolean | undefined;
  readonly terminate?: boolean | undefined;
  readonly principal?: string | undefined;
  readonly alreadySeen?: readonly ShownFile[] | undefined;
  beforeStart?(): void | Promise<void>;
}

/**
 * Executes one call: looks up the tool, validates the arguments, requests approval, applies effects and returns the
 * result. Never rejects.
 */
export async function executeCall(kernel: Kernel, request: CallRequest): Promise<ToolResult> {
  let settlement: Settlement = {
    tool: request.tool,
    callId: request.callId,
    terminate: request.terminate ?? false,
    startedAt: performance.now(),
  };
  const finish = (result: ToolResult): ToolResult => {
    kernel.outcomes?.ended(request.callId, result);
    kernel.events.emit(request, { type: "finished", result });
    return result;
  };
  const shownArgs = kernel.events.isWatched ? argsForWatchers(kernel, request.args) : undefined;
  kernel.events.emit(request, { type: "requested", args: shownArgs, terminate: settlement.terminate });
  let call: CallInProgress | undefined;
  try {
    const registered = kernel.registry.resolve(request.tool);
    const { args, parsed, terminate } = await parseArguments(registered, request.args);
    settlement = { ...settlement, terminate: request.terminate ?? terminate ?? false };
    for (const { path, hash } of request.alreadySeen ?? []) kernel.ledger.saw(path, hash);
    const timeoutMs = request.timeoutMs ?? registered.definition.timeoutMs ?? kernel.limits.callMs;
    const deadline = new CallDeadline(timeoutMs, [request.signal, kernel.lifeSpan]);
    call = callInProgress(request, { registered, args, parsed, deadline });
    const prefetched = kernel.workspace.readMany === undefined ? kernel : await withPrefetched(kernel, call);
    const outcome = await performCall(prefetched, call);
    await noteEffects(prefetched, outcome);
    await call.pace.breathe();
    return finish(settleSuccess(kernel, outcome, settlement));
  } catch (thrown) {
    return finish(settleFailure(kernel, thrown, { ...settlement, warnings: call?.warnings }));
  } finally {
    call?.deadline.dispose();
  }
}

/** Reads everything the call names from a remote store in one round trip. */
async function withPrefetched(
  kernel: Kernel,
  { registered, args, deadline }: CallInProgress,
): Promise<Kernel> {
  const paths = pathArguments(registered.definition.input, args);
  const workspace = await deadline.within(() => prefetch(kernel.workspace, paths));
  return workspace === kernel.workspace ? kernel : { ...kernel, workspace, opened: new WeakMap() };
}

/** Returns a copy without secrets. Arguments that are not JSON are about to be rejected and are not shown. */
function argsForWatchers(kernel: Kernel, args: unknown): unknown {
  try {
    return kernel.redact(cloneJson(args));
  } catch {
    return undefined;
  }
}

/** Records what the session has seen, and emits the events that must precede the end of the call. */
async function noteEffects(kernel: Kernel, outcome: Outcome): Promise<void> {
  const { call, changes, isPreview } = outcome;
  if (call.registered.definition.showsFiles !== undefined) await noteShown(kernel, outcome);
  if (isPreview || !kernel.events.isWatched) return;
  for (const change of changes)
    kernel.events.emit(call, { type: "file-changed", change: kernel.redact(describeChange(change)) });
}

/**
 * Skips previews, whose content does not exist. Content that cannot be recorded counts as unseen: at worst it is read
 * again.
 */
async function noteShown(kernel: Kernel, { call, value, changes, isPreview }: Outcome): Promise<void> {
  if (isPreview && changes.length > 0) return;
  try {
    const shown = call.registered.definition.showsFiles?.(value as never) ?? [];
    // A model that saw a redacted file has not seen it all, so it may not overwrite it.
    const isWhole = shown.length > 0 && kernel.redact(value) === value;
    for (const { path, hash } of isWhole ? shown : []) {
      const isLocated = changes.length === 0 && call.located.has(path);
      kernel.ledger.saw(isLocated ? path : (await kernel.workspace.locate(path)).path, hash);
    }
  } catch {
    // The call has already had its effect: reporting a failure would make the model repeat it.
  }
}
