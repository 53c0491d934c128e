import { commandLimits } from "./command-limits.js";
import { argvOf, type PlannedCommand, type PlannedStep } from "./command-plan.js";

/**
 * Follows `cd` through a list of steps. Returns for each every directory it may run in: a `cd` that failed keeps the
 * old one. Returns undefined if there are too many.
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

/**
 * Returns every directory that any `cd` among commands may lead to, in any order, or undefined if there are too many.
 */
export function reachableDirectories(
  commands: readonly PlannedCommand[],
  start: string,
): readonly string[] | undefined {
  const targets = commands.map(argvOf).flatMap(([name, target]) => (name === "cd" && target ? [target] : []));
  let possible: readonly string[] = [start];
  for (const target of targets) {
    possible = [...new Set([...possible, ...possible.map((directory) => joinPath(directory, target))])];
    if (possible.length > commandLimits.directories) return undefined;
  }
  return possible;
}

/** Returns the directory that a step changes to. In a longer pipeline cd would only affect a child. */
function cdTarget(step: PlannedStep): string | undefined {
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
