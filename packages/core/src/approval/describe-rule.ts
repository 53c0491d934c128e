import { listOf, prefixesOf, selectionOf } from "./check-rule.js";
import type { ArgumentCondition, PathCondition, PolicyRule } from "./policy-rule.js";

/** Describes a rule in one clause, for messages that name the deciding rule. */
export function describeRule(rule: PolicyRule): string {
  const { tool, category, permission, role, when = {}, effect } = rule;
  const subject = tool ?? category ?? permission ?? "any tool";
  const conditions = [
    ...(role === undefined ? [] : [`of the role ${role}`]),
    ...(when.change === undefined ? [] : [`to ${listOf(when.change).join(" or ")} files`]),
    ...(when.path === undefined ? [] : [`on ${describePaths(when.path)}`]),
    ...(when.command === undefined ? [] : [`running ${describeCommand(when.command)}`]),
    ...(when.url === undefined ? [] : [`reaching ${listOf(when.url).join(" or ")}`]),
    ...(when.argument === undefined
      ? []
      : [`with ${listOf(when.argument).map(describeArgument).join(" and ")}`]),
    ...(when.exactly === undefined ? [] : [`with one of ${when.exactly.length} exact arguments`]),
    ...(when.operands === undefined
      ? []
      : [`while ${when.operands.map(({ path }) => path).join(" and ")} stays as approved`]),
  ];
  return [`a rule says ${effect} for ${subject}`, ...conditions].join(" ");
}

function describePaths(path: PathCondition): string {
  const { only, not } = selectionOf(path);
  const wanted = only?.join(" or ") ?? "any path";
  return not === undefined ? wanted : `${wanted} except ${not.join(" and ")}`;
}

function describeCommand(command: readonly string[] | readonly (readonly string[])[]): string {
  return prefixesOf(command)
    .map((prefix) => prefix.join(" "))
    .join(" or ");
}

function describeArgument({ name, oneOf }: ArgumentCondition): string {
  return `${name} ${oneOf.map((value) => JSON.stringify(value)).join(" or ")}`;
}
