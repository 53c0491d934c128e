import type { ToolResult } from "../result/tool-result.js";
import type { ShownFile } from "../tool/tool-definition.js";
import { describeChange } from "../workspace/describe-change.js";
import { CallDeadline } from "./call-deadline.js";
import { cloneJson } from "./clone-json.js";
import type { CallInHand, Kernel } from "./kernel.js";
import { parseArguments } from "./parse-arguments.js";
import { type Outcome, performCall } from "./perform-call.js";
import { type Settlement, settleFailure, settleSuccess } from "./settle-call.js";

export interface CallRequest {
  readonly callId: string;
  readonly tool: string;
  readonly args: unknown;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  readonly dryRun?: boolean | undefined;
  readonly terminate?: boolean | undefined;
  readonly alreadySeen?: readonly ShownFile[] | undefined;
}

/** The way of one call: known tool, valid arguments, approval and effect, result. Never rejects. */
export async function executeCall(kernel: Kernel, request: CallRequest): Promise<ToolResult> {
  let settlement: Settlement = {
    tool: request.tool,
    callId: request.callId,
    terminate: request.terminate ?? false,
    startedAt: performance.now(),
  };
  const finish = (result: ToolResult): ToolResult => {
    kernel.events.emit(request, { type: "finished", result });
    return result;
  };
  const shownArgs = kernel.events.isWatched ? argsForWatchers(kernel, request.args) : undefined;
  kernel.events.emit(request, { type: "requested", args: shownArgs, terminate: settlement.terminate });
  let call: CallInHand | undefined;
  try {
    const registered = kernel.registry.resolve(request.tool);
    const { args, terminate } = await parseArguments(registered, request.args);
    settlement = { ...settlement, terminate: request.terminate ?? terminate ?? false };
    for (const { path, hash } of request.alreadySeen ?? []) kernel.ledger.saw(path, hash);
    const timeoutMs = request.timeoutMs ?? registered.definition.timeoutMs ?? kernel.limits.callMs;
    const deadline = new CallDeadline(timeoutMs, [request.signal, kernel.lifeSpan]);
    call = callInHand(request, { registered, args, deadline });
    const outcome = await performCall(kernel, call);
    await noteEffects(kernel, outcome);
    return finish(settleSuccess(kernel, outcome, settlement));
  } catch (thrown) {
    return finish(settleFailure(kernel, thrown, { ...settlement, warnings: call?.warnings }));
  } finally {
    call?.deadline.dispose();
  }
}

/** A copy without secrets; what is no JSON is refused in a moment and not shown. */
function argsForWatchers(kernel: Kernel, args: unknown): unknown {
  try {
    return kernel.redact(cloneJson(args));
  } catch {
    return undefined;
  }
}

function callInHand(
  request: CallRequest,
  found: Pick<CallInHand, "registered" | "args" | "deadline">,
): CallInHand {
  const { callId, tool, dryRun = false } = request;
  return {
    callId,
    tool,
    ...found,
    isDryRun: dryRun,
    warnings: [],
    keptWarnings: 0,
    images: [],
    located: new Set(),
  };
}

/** What the session has now seen, and what watchers must hear before the call is finished. */
async function noteEffects(kernel: Kernel, outcome: Outcome): Promise<void> {
  const { call, changes, isPreview } = outcome;
  if (call.registered.definition.showsFiles !== undefined) await noteShown(kernel, outcome);
  if (isPreview || !kernel.events.isWatched) return;
  for (const change of changes)
    kernel.events.emit(call, { type: "file-changed", change: kernel.redact(describeChange(change)) });
}

/** What a preview shows is not there. What cannot be noted was not seen: the worst is that it is read again. */
async function noteShown(kernel: Kernel, { call, value, changes, isPreview }: Outcome): Promise<void> {
  if (isPreview && changes.length > 0) return;
  try {
    const shown = call.registered.definition.showsFiles?.(value as never) ?? [];
    // A model that was shown a redacted file has not seen it, so it may not overwrite it.
    const isWhole = shown.length > 0 && kernel.redact(value) === value;
    for (const { path, hash } of isWhole ? shown : []) {
      const isLocated = changes.length === 0 && call.located.has(path);
      kernel.ledger.saw(isLocated ? path : (await kernel.workspace.locate(path)).path, hash);
    }
  } catch {
    // The call has had its effect by now: failing it would make a model repeat it.
  }
}
