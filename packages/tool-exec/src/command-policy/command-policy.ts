import { type ArgvRule, readArgvRule } from "./argv-rule.js";
import { defaultAllowList } from "./default-allow-list.js";
import { changesWhatRuns, defaultEnvironmentNames } from "./environment-names.js";
import type { PathCheck } from "./path-check.js";

export interface CommandPolicy {
  /** By the program they start with. */
  readonly rules: ReadonlyMap<string, readonly ArgvRule[]>;
  readonly environment: ReadonlySet<string>;
  readonly onUnlisted: "deny" | "ask";
  readonly checkPath: PathCheck;
}

export interface CommandPolicyOptions {
  readonly checkPath: PathCheck;
  /** Argv prefixes or rules; given, they replace the default list. */
  readonly allow?: readonly (string | ArgvRule)[];
  /** Names that may be assigned before a command; given, they replace the default ones. */
  readonly env?: readonly string[];
  readonly onUnlisted?: "deny" | "ask";
  /** Scripts of the workspace's package.json, which the default list lets run. */
  readonly scripts?: readonly string[];
}

/** Reads and checks the configuration; throws with the reason when a rule, example or name is wrong. */
export function createCommandPolicy(options: CommandPolicyOptions): CommandPolicy {
  const environment = options.env ?? defaultEnvironmentNames;
  const forbidden = environment.find(changesWhatRuns);
  if (forbidden !== undefined)
    throw new Error(`Assigning ${forbidden} changes which program runs; it cannot be allowed.`);
  return {
    rules: byProgram((options.allow ?? defaultAllowList(options.scripts)).map(readArgvRule)),
    environment: new Set(environment),
    onUnlisted: options.onUnlisted ?? "deny",
    checkPath: options.checkPath,
  };
}

function byProgram(rules: readonly ArgvRule[]): ReadonlyMap<string, readonly ArgvRule[]> {
  const programs = new Map<string, ArgvRule[]>();
  for (const rule of rules) {
    const program = rule.prefix[0] ?? "";
    programs.set(program, [...(programs.get(program) ?? []), rule]);
  }
  return programs;
}
