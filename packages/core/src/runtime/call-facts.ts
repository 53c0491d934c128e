import type { CallFacts } from "../approval/approval.js";
import { pathArguments } from "../schema/path-arguments.js";
import type { FileChange } from "../workspace/file-change.js";
import type { CallInHand, Kernel } from "./kernel.js";

/** Everything a policy may look at, for a call that would make these changes. */
export async function factsOf(
  kernel: Kernel,
  call: CallInHand,
  changes: readonly FileChange[],
): Promise<CallFacts> {
  const { callId, args } = call;
  const { definition } = call.registered;
  const given = pathArguments(definition.input, args);
  const paths =
    given.length === 0 ? given : (await Promise.all(given.map((path) => leadsTo(kernel, call, path)))).flat();
  const service: CallFacts["service"] = (token) => kernel.services.get(token);
  return { callId, definition, args, changes, paths, role: kernel.role, service };
}

/** A rule on a path holds for every way to write it: absolute, with `//`, or by way of a link. */
async function leadsTo({ workspace }: Kernel, call: CallInHand, path: string): Promise<readonly string[]> {
  try {
    const located = (await workspace.locate(path)).path;
    call.located.add(located);
    return [workspace.vet(path).path, located];
  } catch {
    // A path that nobody may touch is refused where it is used; no rule needs to know it.
    return [];
  }
}
