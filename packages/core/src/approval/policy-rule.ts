import { declaredPermissions, type ToolPermission } from "../permission/tool-permission.js";
import { pathArguments } from "../schema/path-arguments.js";
import type { ToolCategory } from "../tool/tool-category.js";
import type { FileChange } from "../workspace/file-change.js";
import { isInside } from "../workspace/path-text.js";
import { touchedBy } from "../workspace/touched-by.js";
import type { Effect, Operand, Opinion, PolicyRequest, SyncPolicy } from "./approval.js";
import { assertRule, inRule, listOf, prefixesOf } from "./check-rule.js";
import {
  compileArguments,
  compileChange,
  compileExactly,
  compilePaths,
  operandsKey,
} from "./compile-condition.js";
import { type CompiledPaths, type CompiledRule, withRules } from "./compiled-rule.js";
import { describeRule } from "./describe-rule.js";
import { compileCommand } from "./match-command.js";
import { compileUrl } from "./match-url.js";
import { stricter } from "./policies.js";
import { assertExamples, type RuleExample } from "./rule-example.js";

/**
 * One host rule, as data. All given conditions must match. The strictest matching rule wins, so the order of rules
 * never matters.
 */
export interface PolicyRule {
  readonly tool?: string;
  readonly category?: ToolCategory;
  readonly permission?: ToolPermission;
  /** Only calls of this role. */
  readonly role?: string;
  readonly when?: RuleCondition;
  readonly effect: Effect;
  readonly reason?: string;
  /** Calls that this rule must match; checked when it is loaded. */
  readonly matches?: readonly RuleExample[];
  /** Calls that it must not match; checked when it is loaded. */
  readonly doesNotMatch?: readonly RuleExample[];
}

export interface RuleCondition {
  /**
   * Globs for the paths a call touches: a pattern, a list, or `only` and `not`. To deny or ask, one covered path is
   * enough; to allow, all must be covered. Applies whenever a file is opened, whatever the tool calls its argument. The
   * stricter reading wins: a restricting pattern covers everything below a folder that it matches.
   */
  readonly path?: PathCondition;
  /**
   * The first words of a command: `["git", "push"]`, or a list of such prefixes, compared with the parsed command. To
   * deny or ask, one matching simple command is enough; to allow, every one must be covered.
   */
  readonly command?: readonly string[] | readonly (readonly string[])[];
  /** "example.com", "*.example.com", "https://example.com/docs"; see `compileUrl`. */
  readonly url?: string | readonly string[];
  /** Arguments by name, each with its accepted values. To deny or ask, other spellings of a path count too. */
  readonly argument?: ArgumentCondition | readonly ArgumentCondition[];
  /** Complete arguments; the call must have one of these, and beyond them only defaults of its tool. */
  readonly exactly?: readonly Readonly<Record<string, unknown>>[];
  /**
   * Kinds of change: "modify", or a list. To deny or ask, one change of that kind is enough; to allow, the call must
   * make changes, and all of them must be of these kinds.
   */
  readonly change?: ChangeKind | readonly ChangeKind[];
  /**
   * The files that determine what the call does, such as the script it runs, with their content digests. Without a
   * digest, the file must not exist. Only for rules that allow: they stop applying when one of the files changes.
   */
  readonly operands?: readonly Operand[];
}

export type ChangeKind = FileChange["kind"];

export type PathCondition = string | readonly string[] | PathPatterns;

/** Paths that match `only`, or any, and do not match `not`. */
export interface PathPatterns {
  readonly only?: string | readonly string[];
  readonly not?: string | readonly string[];
}

export interface ArgumentCondition {
  readonly name: string;
  readonly oneOf: readonly unknown[];
}

/** Compiles rules into one policy. Throws TypeError on an invalid rule. */
export function rulePolicy(rules: readonly PolicyRule[], owner = "rules"): SyncPolicy {
  return policyOf(compileRules(rules, owner));
}

export function policyOf(rules: readonly CompiledRule[]): SyncPolicy {
  return withRules((request: PolicyRequest) => {
    let found: Opinion | undefined;
    for (const rule of rules) {
      if (!applies(rule, request)) continue;
      request.noteOpinion?.(rule.opinion.by ?? "rule", rule.opinion);
      found = stricter(found, rule.opinion);
    }
    return found;
  }, rules);
}

/** Compiles rules. Throws TypeError on an invalid one, so that a bad file fails at load. */
export function compileRules(rules: readonly PolicyRule[], owner: string): readonly CompiledRule[] {
  let size = 0;
  return rules.map((rule, index) => {
    const label = `${owner}, rule ${index + 1}`;
    return inRule(label, () => {
      assertRule(rule);
      const compiled = compileRule(rule, label);
      size += compiled.paths?.size ?? 0;
      if (size > MAX_PATTERNS)
        throw new TypeError(`the paths of the rules so far expand to more than ${MAX_PATTERNS} patterns`);
      assertExamples(rule, compiled);
      return compiled;
    });
  });
}

/** Each path is compared with all of them, and a configuration that nobody trusts can have rules too. */
const MAX_PATTERNS = 20_000;

function compileRule(rule: PolicyRule, label: string): CompiledRule {
  const { effect, reason, when = {} } = rule;
  const command = when.command === undefined ? undefined : compileCommand(prefixesOf(when.command), effect);
  const url = when.url === undefined ? undefined : compileUrl(listOf(when.url), effect);
  const exactly = when.exactly === undefined ? undefined : compileExactly(when.exactly);
  const argument = when.argument === undefined ? undefined : compileArguments(listOf(when.argument), effect);
  const change = when.change === undefined ? undefined : compileChange(listOf(when.change), effect);
  const operands = when.operands === undefined ? undefined : operandsKey(when.operands);
  return {
    rule,
    opinion: { effect, because: reason ?? describeRule(rule), by: label },
    permission: rule.permission,
    limitsUrls: url !== undefined,
    paths: when.path === undefined ? undefined : compilePaths(when.path, effect),
    needsOperands: operands !== undefined,
    dependsOnArguments: [command, url, argument, exactly, change].some(
      (condition) => condition !== undefined,
    ),
    matchesCall: (request) =>
      matchesTool(rule, request.definition) &&
      (rule.role === undefined || rule.role === request.role.name) &&
      command?.(request.command) !== false &&
      url?.(request.url) !== false &&
      argument?.(request) !== false &&
      exactly?.(request) !== false &&
      change?.(request.changes) !== false &&
      (operands === undefined || operands === operandsKey(request.operands)),
  };
}

function applies({ paths, opinion, matchesCall }: CompiledRule, request: PolicyRequest): boolean {
  if (!matchesCall(request)) return false;
  if (paths === undefined) return true;
  const changed = request.changes.flatMap(touchedBy);
  const named = request.paths ?? pathArguments(request.definition.input, request.args);
  if (opinion.effect === "allow") {
    const touched = [...changed, ...named];
    return touched.length > 0 && touched.every((path) => paths.selects(path));
  }
  // Naming a folder is not denied; files below it are checked when they are opened.
  return (
    changed.some((path) => paths.selects(path) && !isOnTheWay(path, { paths, request })) ||
    named.some((path) => paths.selects(path) && !paths.leadsToLeftOut(path))
  );
}

/** Returns true for a folder that the call creates only as the parent of another change. */
function isOnTheWay(path: string, { paths, request: { changes } }: Judged): boolean {
  if (!paths.leadsToLeftOut(path)) return false;
  const isMade = changes.some(
    (change) => change.kind === "create" && change.path === path && change.after.type === "directory",
  );
  return isMade && changes.some((change) => change.path !== path && isInside(change.path, path));
}

interface Judged {
  readonly paths: CompiledPaths;
  readonly request: PolicyRequest;
}

/** Returns true if a rule applies to a tool, whatever the arguments. */
export function matchesTool(rule: PolicyRule, definition: PolicyRequest["definition"]): boolean {
  if (rule.tool !== undefined && rule.tool !== definition.name) return false;
  if (rule.category !== undefined && rule.category !== definition.category) return false;
  return rule.permission === undefined || declaredPermissions(definition).includes(rule.permission);
}
