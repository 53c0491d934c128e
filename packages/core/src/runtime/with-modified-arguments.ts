import { truncateLine } from "@haft/text";
import type { CallInProgress } from "./kernel.js";
import { parseArguments } from "./parse-arguments.js";

/** Returns the call with the approver's modified arguments, validated like any others. */
export async function withModifiedArguments(
  call: CallInProgress,
  modifiedArgs: unknown,
): Promise<CallInProgress> {
  if (modifiedArgs === undefined) return call;
  const { args, parsed } = await parseArguments(call.registered, modifiedArgs);
  const changed = Object.keys({ ...call.args, ...args }).filter(
    (name) => JSON.stringify(call.args[name]) !== JSON.stringify(args[name]),
  );
  if (changed.length === 0) return call;
  const note = changed
    .map((name) => `${name} = ${truncateLine(JSON.stringify(args[name]) ?? "left out", 200)}`)
    .join(", ");
  // The same list, so that a failure with these arguments reports them too.
  const { warnings } = call;
  warnings.length = call.keptWarnings;
  warnings.push(`arguments changed by the user: ${note}`);
  return { ...call, args, parsed, keptWarnings: warnings.length };
}
