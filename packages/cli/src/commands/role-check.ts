import type { PolicyRule, Role } from "@haft/core";
import type { CliIo } from "../cli-io.js";
import { EXIT, type ExitCode } from "../exit-code.js";
import { type CommandRuntime, openRuntime, withRuntime } from "../open/open-runtime.js";
import type { RuntimeChoices } from "../open/runtime-choices.js";
import { printJson, printNote } from "../output/print.js";

interface RoleCheckCommand extends RuntimeChoices {
  readonly role: string;
  readonly json?: boolean;
}

/**
 * Prints the tools a role may use, and why others are excluded. An invalid role file is a usage error; a dead rule
 * exits with 1.
 */
export function roleCheck(command: RoleCheckCommand, io: CliIo): Promise<ExitCode> {
  return withRuntime(openRuntime(command, io), async (opened) => {
    const report = await reportOf(opened);
    if (command.json === true) printJson(io.stdout, report);
    else printNote(io.stdout, describe(report));
    return report.deadRules.length === 0 ? EXIT.ok : EXIT.failed;
  });
}

interface RoleReport {
  readonly role: Role;
  readonly offered: readonly string[];
  readonly refused: readonly { readonly tool: string; readonly because: string }[];
  /** Rules that cannot match any call of this role. */
  readonly deadRules: readonly { readonly rule: number; readonly because: string }[];
}

async function reportOf({ runtime, packageOf }: CommandRuntime): Promise<RoleReport> {
  const { role } = runtime;
  const offered = runtime.tools().map(({ canonicalName }) => canonicalName);
  const others = [...packageOf.keys()].filter((name) => !offered.includes(name));
  const refused = await Promise.all(
    others.map(async (tool) => {
      const [step] = (await runtime.explain(tool, {})).steps;
      return { tool, because: (step?.because ?? "").replace(/^[A-Z_]+: /, "") };
    }),
  );
  const deadRules = (role.rules ?? []).flatMap((rule, index) => {
    const because = deadBecause(rule, role, offered);
    return because === undefined ? [] : [{ rule: index + 1, because }];
  });
  return { role, offered, refused, deadRules };
}

/** Ignores deny rules: they may deliberately name something the role does not have. */
function deadBecause(rule: PolicyRule, role: Role, offered: readonly string[]): string | undefined {
  if (rule.effect === "deny") return undefined;
  if (rule.permission !== undefined && !role.permissions.some((held) => held === rule.permission))
    return `the role does not hold ${rule.permission}`;
  if (rule.tool !== undefined && !offered.includes(rule.tool)) return `the role is not offered ${rule.tool}`;
  return undefined;
}

function describe({ role, offered, refused, deadRules }: RoleReport): string {
  return [
    `${role.name}: ${role.permissions.join(" ") || "no permissions"}`,
    `offered: ${offered.join(" ") || "no tool"}`,
    ...refused.map(({ tool, because }) => `not offered: ${tool} (${because})`),
    ...deadRules.map(
      ({ rule, because }) => `rule ${rule} (${role.rules?.[rule - 1]?.effect}) never matches: ${because}`,
    ),
  ].join("\n");
}
