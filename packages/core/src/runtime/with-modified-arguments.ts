import { truncateLine } from "@haft/text";
import type { CallInHand } from "./kernel.js";
import { parseArguments } from "./parse-arguments.js";

/** The same call with the arguments a person put in their place, validated like any others. */
export async function withModifiedArguments(call: CallInHand, modifiedArgs: unknown): Promise<CallInHand> {
  if (modifiedArgs === undefined) return call;
  const { args } = await parseArguments(call.registered, modifiedArgs);
  const changed = Object.keys({ ...call.args, ...args }).filter(
    (name) => JSON.stringify(call.args[name]) !== JSON.stringify(args[name]),
  );
  if (changed.length === 0) return call;
  const note = changed
    .map((name) => `${name} = ${truncateLine(JSON.stringify(args[name]) ?? "left out", 200)}`)
    .join(", ");
  // The same list: a call that fails with these arguments says so too.
  const { warnings } = call;
  warnings.length = call.keptWarnings;
  warnings.push(`arguments changed by the user: ${note}`);
  return { ...call, args, keptWarnings: warnings.length };
}
