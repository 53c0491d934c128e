import type { AnyToolClass, PolicyRule } from "@haft/core";
import { toolName } from "@haft/core/kernel";
import { toolsNamedBy, unknownTool } from "@haft/core/policy";
import { type HaftConfig, resolveRole, type UntrustedConfig } from "@haft/runtime-node";
import { renderInline } from "@haft/text";
import { toolPrefix } from "../mount/mount-servers.js";
import { firstPartyToolNames } from "./first-party-packs.js";

interface NamingParts {
  readonly config: Pick<HaftConfig, "rules" | "tools" | "mcpServers">;
  readonly role: NonNullable<HaftConfig["role"]>;
  readonly tools: readonly AnyToolClass[];
  /** The configured packs that could not be loaded. */
  readonly leftOut: readonly string[];
  readonly untrusted: UntrustedConfig | undefined;
  warn(text: string): void;
}

/**
 * Returns which tools that are not loaded may be named by rules and roles: those of MCP servers, those of first-party
 * packs that the configuration leaves out, and those that a pack which cannot be loaded may have. The last ones cause a
 * warning. A name that is nearly that of a known tool is never one of them: a rule for it would be without effect.
 */
export async function absentTools(parts: NamingParts): Promise<(name: string) => boolean> {
  const { config, tools, leftOut, untrusted, warn } = parts;
  const ignored = (key: string) => untrusted?.ignored.filter((each) => each.key === key) ?? [];
  const servers = [config.mcpServers, ...ignored("mcpServers").map(({ value }) => value)];
  const prefixes = servers.flatMap((each) => Object.keys(each ?? {})).map(toolPrefix);
  const isMounted = (name: string) => prefixes.some((prefix) => name.startsWith(prefix));
  const known = tools.map(toolName);
  const absent = (await namedTools(parts)).filter((name) => !known.includes(name) && !isMounted(name));
  // Imports further packs, so only where a name calls for it.
  const own = absent.length === 0 ? [] : await firstPartyToolNames();
  const all = [...known, ...own];
  const foreign = absent.filter((name) => {
    const unknown = unknownTool(name, { tools: all });
    return unknown !== undefined && unknown.nearest === undefined;
  });
  if (leftOut.length > 0) for (const name of foreign) warn(warning(name, leftOut));
  const isPackMissing = leftOut.length > 0 || ignored("packs").length > 0;
  const allowed = new Set([...own, ...(isPackMissing ? foreign : [])]);
  return (name) => allowed.has(name) || isMounted(name);
}

async function namedTools({ config, role }: NamingParts): Promise<readonly string[]> {
  const ofRules = (rules: readonly PolicyRule[] = []) => rules.flatMap(toolsNamedBy);
  // A role that is used reports its own problem.
  const { tools = [], rules } = await resolveRole(role).catch(() => ({ tools: [], rules: [] }));
  return [
    ...new Set([...ofRules(config.rules), ...ofRules(rules), ...tools, ...(config.tools?.disabled ?? [])]),
  ];
}

function warning(name: string, leftOut: readonly string[]): string {
  const text = `a rule or role names the tool ${JSON.stringify(name)}, which is not loaded; it may belong to ${leftOut.join(" or ")}, which was skipped`;
  return `haft: ${renderInline(text, { maxChars: 600 })}\n`;
}
