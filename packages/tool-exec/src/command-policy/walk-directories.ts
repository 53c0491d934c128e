import { commandLimits } from "./command-limits.js";
import { argvOf, type PlannedStep } from "./command-plan.js";

/**
 * Follows `cd` through a list of steps and gives, for each, every directory it may run in: a `cd` that failed leaves
 * the old one. Undefined when there are too many to follow.
 */
export function walkDirectories(
  steps: readonly PlannedStep[],
  start: string,
): (readonly string[])[] | undefined {
  const result: (readonly string[])[] = [];
  let possible: readonly string[] = [start];
  let certain: readonly string[] | undefined;
  for (const step of steps) {
    if (step.joiner !== "&&") certain = undefined;
    const here = certain ?? possible;
    result.push(here);
    const target = cdTarget(step);
    if (target === undefined) continue;
    const reached = here.map((directory) => joinPath(directory, target));
    possible = [...new Set([...possible, ...reached])];
    // After `cd x &&` only success is possible, unless the cd may have been skipped with status 0.
    certain = step.negated || step.joiner === "||" ? undefined : reached;
    if (possible.length > commandLimits.directories) return undefined;
  }
  return result;
}

/** The directory that a step changes to; in a longer pipeline cd would only change a child. */
export function cdTarget(step: PlannedStep): string | undefined {
  const [command] = step.commands;
  if (command === undefined || step.commands.length > 1) return undefined;
  const argv = argvOf(command);
  return argv[0] === "cd" ? argv[1] : undefined;
}

function joinPath(directory: string, target: string): string {
  if (target.startsWith("/")) return target;
  const segments = [...directory.split("/"), ...target.split("/")].filter(
    (part) => part !== "" && part !== ".",
  );
  const prefix = directory.startsWith("/") ? "/" : "";
  return segments.length === 0 ? prefix || "." : prefix + segments.join("/");
}
