import type { PolicyFailure, PolicyRequest } from "../approval/approval.js";
import { pathArguments } from "../schema/path-arguments.js";
import type { FileChange } from "../workspace/file-change.js";
import { inspectCall } from "./inspect-call.js";
import type { CallInProgress, Kernel } from "./kernel.js";

/** What a call has done so far: its recorded changes, and the paths that it opened. */
interface CallEffects {
  readonly changes?: readonly FileChange[] | undefined;
  readonly opened?: readonly string[] | undefined;
}

/** Describes a call and its changes to the policies. */
export async function factsOf(
  kernel: Kernel,
  call: CallInProgress,
  { changes = [], opened = [] }: CallEffects = {},
): Promise<PolicyRequest> {
  const { callId, principal, args, parsed } = call;
  const { definition } = call.registered;
  const given = pathArguments(definition.input, args);
  const named =
    given.length === 0 ? given : (await Promise.all(given.map((path) => leadsTo(kernel, call, path)))).flat();
  const paths = opened.length === 0 ? named : [...named, ...opened];
  const service: PolicyRequest["service"] = (token) => kernel.services.get(token);
  const noteFailure = (failure: PolicyFailure) => {
    if (call.isExplained !== true)
      kernel.events.emit(call, { type: "policy-failed", ...kernel.redact(failure) });
  };
  const inspected = inspectCall(kernel, call);
  const { command, url } = inspected instanceof Promise ? await inspected : inspected;
  const what = { callId, definition, args, parsed, changes, paths, opened, command, url };
  return { ...what, ...(principal !== undefined && { principal }), role: kernel.role, service, noteFailure };
}

/** Marks paths that the approver saw: opening them needs no further approval. */
export function noteApprovedPaths({ approvedPaths }: CallInProgress, { paths = [] }: PolicyRequest): void {
  for (const path of paths) approvedPaths.add(path);
}

/** A path rule applies to every spelling of the path: absolute, with `//`, or through a link. */
async function leadsTo(
  { workspace }: Kernel,
  call: CallInProgress,
  path: string,
): Promise<readonly string[]> {
  try {
    const located = (await workspace.locate(path)).path;
    call.located.add(located);
    return [workspace.vet(path).path, located];
  } catch {
    // The path is rejected when it is used; until then no rule may allow it.
    return [path];
  }
}
