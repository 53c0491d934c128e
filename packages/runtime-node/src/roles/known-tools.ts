import { type AnyToolClass, definitionOf, type PlainTool } from "@haft/core";
import { nearestNames } from "@haft/text";
import { ConfigError } from "../config/config-error.js";

/** Tools that a host names somewhere, by canonical name. */
export interface NamedTools {
  readonly where: string;
  readonly names: readonly string[];
}

export interface KnownToolsOptions {
  /** Nothing is added later: every name must be there. Otherwise only a misspelt one is an error. */
  readonly isComplete?: boolean;
  isAddedLater?(name: string): boolean;
}

/**
 * Throws CONFIG_INVALID for a tool that is named and not there: a rule for it would hold for nothing,
 * and nobody would notice.
 */
export function assertKnownTools(
  named: readonly NamedTools[],
  tools: readonly (AnyToolClass | PlainTool)[],
  { isComplete = false, isAddedLater = () => false }: KnownToolsOptions,
): void {
  const known = tools.map(nameOf);
  for (const { where, names } of named) {
    const unknown = names.find((name) => !known.includes(name) && !isAddedLater(name));
    if (unknown === undefined) continue;
    const [nearest] = nearestNames(unknown, known, 1);
    if (nearest !== undefined || isComplete) throw unknownTool({ where, unknown, nearest, known });
  }
}

function nameOf(tool: AnyToolClass | PlainTool): string {
  return typeof tool === "function" ? definitionOf(tool).name : tool.name;
}

interface UnknownTool {
  readonly where: string;
  readonly unknown: string;
  readonly nearest: string | undefined;
  readonly known: readonly string[];
}

function unknownTool({ where, unknown, nearest, known }: UnknownTool): ConfigError {
  const shown = JSON.stringify(unknown.slice(0, 80));
  return new ConfigError("CONFIG_INVALID", `${where} names the tool ${shown}, which is not there.`, {
    hint: nearest === undefined ? `The tools are ${known.join(", ")}.` : `Did you mean ${nearest}?`,
    details: { tool: unknown },
  });
}
