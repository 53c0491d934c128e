import { changesWhatRuns } from "@haft/text";
import { type ArgvRule, intersectRules, readArgvRule } from "./argv-rule.js";
import { defaultAllowList } from "./default-allow-list.js";
import type { PathCheck } from "./path-check.js";
import { wordList } from "./word-list.js";

export interface CommandPolicy {
  /** By program. */
  readonly rules: ReadonlyMap<string, readonly ArgvRule[]>;
  readonly environment: ReadonlySet<string>;
  /** How to handle an unlisted command, given this machine and whether an approver is attached. */
  readonly onUnlisted: OnUnlisted;
  readonly checkPath: PathCheck;
}

/** "box" runs it confined and asks about its changes. */
export type OnUnlisted = "box" | "ask" | "deny";

export interface CommandPolicyOptions {
  readonly checkPath: PathCheck;
  /** Argv prefixes or rules added to the list. */
  readonly allow?: readonly (string | ArgvRule)[];
  /** Argv prefixes or rules that replace the default list. */
  readonly allowOnly?: readonly (string | ArgvRule)[];
  /** Argv prefixes that restrict the list to what they cover. They never add to it. */
  readonly within?: readonly string[];
  /** Names that may be assigned before a command. They replace the default names. */
  readonly env?: readonly string[];
  readonly onUnlisted?: OnUnlisted;
  /** Scripts of the workspace's package.json, which the default list allows. */
  readonly scripts?: readonly string[];
}

/** Parses and checks the configuration. Throws with the reason if a rule, example or name is wrong. */
export function createCommandPolicy(options: CommandPolicyOptions): CommandPolicy {
  const environment = options.env ?? defaultEnvironmentNames;
  const forbidden = environment.find(changesWhatRuns);
  if (forbidden !== undefined)
    throw new Error(`Assigning ${forbidden} changes which program runs; it cannot be allowed.`);
  const listed = options.allowOnly ?? defaultAllowList(options.scripts);
  const rules = [...listed, ...(options.allow ?? [])].map(readArgvRule);
  return {
    rules: byProgram(
      options.within === undefined ? rules : intersectRules(rules, options.within.map(readArgvRule)),
    ),
    environment: new Set(environment),
    onUnlisted: options.onUnlisted ?? "deny",
    checkPath: options.checkPath,
  };
}

/** Variables that may be assigned before a command by default. */
export const defaultEnvironmentNames: readonly string[] = wordList(
  "CI NODE_ENV FORCE_COLOR NO_COLOR LANG LC_ALL TZ TERM COLUMNS",
);

function byProgram(rules: readonly ArgvRule[]): ReadonlyMap<string, readonly ArgvRule[]> {
  const programs = new Map<string, ArgvRule[]>();
  for (const rule of rules) {
    const program = rule.prefix[0] ?? "";
    programs.set(program, [...(programs.get(program) ?? []), rule]);
  }
  return programs;
}
