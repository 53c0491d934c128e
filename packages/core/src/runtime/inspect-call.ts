import type { CallInspection, InspectFacts } from "../tool/call-inspection.js";
import type { CallInProgress, Kernel } from "./kernel.js";

/** Inspects a call through its tool, once per arguments object. */
export function inspectCall(kernel: Kernel, call: CallInProgress): CallInspection | Promise<CallInspection> {
  const { definition } = call.registered;
  if (definition.inspect === undefined) return NOTHING;
  const known = kernel.inspections.get(call.args);
  return known ?? askTool(kernel, call);
}

const NOTHING: CallInspection = {};

async function askTool(
  kernel: Kernel,
  { registered, args, parsed, deadline }: CallInProgress,
): Promise<CallInspection> {
  const service: InspectFacts["service"] = (token) => kernel.services.get(token);
  const stat: InspectFacts["stat"] = (path) => kernel.workspace.stat(path);
  const inspect = async () => registered.definition.inspect?.(parsed as never, { service, stat }) ?? NOTHING;
  const inspection = await deadline.within(inspect);
  kernel.inspections.set(args, inspection);
  return inspection;
}
