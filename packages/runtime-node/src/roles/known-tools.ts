import type { AnyToolClass, PlainTool } from "@haft/core";
import { toolName } from "@haft/core/kernel";
import { unknownTool } from "@haft/core/policy";
import { ConfigError } from "../config/config-error.js";

export interface NamedTools {
  readonly where: string;
  readonly names: readonly string[];
  /** Whether the names come from rules, which must name imported tools unless the host says otherwise. */
  readonly areRules?: boolean;
}

interface KnownToolsOptions {
  /** True: every name must exist. False: only a misspelt one is an error. Default: true for rules. */
  readonly isComplete?: boolean | undefined;
  /** All imported tools, in this runtime or not. */
  readonly imported?: readonly string[];
  isAddedLater?(name: string): boolean;
}

/** Throws CONFIG_INVALID for an unknown tool: a rule for it would silently have no effect. */
export function assertKnownTools(
  named: readonly NamedTools[],
  tools: readonly (AnyToolClass | PlainTool)[],
  { isComplete, imported = [], isAddedLater = () => false }: KnownToolsOptions,
): void {
  const known = tools.map(toolName);
  for (const { where, names, areRules = false } of named) {
    const mustBeThere = isComplete ?? areRules;
    const isElsewhere = (name: string) => isComplete !== true && areRules && imported.includes(name);
    for (const name of names) {
      const unknown = isElsewhere(name) ? undefined : unknownTool(name, { tools: known, isAddedLater });
      if (unknown === undefined || (unknown.nearest === undefined && !mustBeThere)) continue;
      // The intended tool may be imported, but not part of this runtime.
      const nearest = unknown.nearest ?? unknownTool(name, { tools: imported })?.nearest;
      throw namesUnknown({ where, unknown: name, nearest, known, mayBeAdded: isComplete === undefined });
    }
  }
}

interface UnknownTool {
  readonly where: string;
  readonly unknown: string;
  readonly nearest: string | undefined;
  readonly known: readonly string[];
  readonly mayBeAdded: boolean;
}

function namesUnknown({ where, unknown, nearest, known, mayBeAdded }: UnknownTool): ConfigError {
  const shown = JSON.stringify(unknown.slice(0, 80));
  const later = mayBeAdded ? " If it is registered later, say so with isAddedLater." : "";
  return new ConfigError("CONFIG_INVALID", `${where} names the unknown tool ${shown}.`, {
    hint: nearest === undefined ? `The tools are ${known.join(", ")}.${later}` : `Did you mean ${nearest}?`,
    details: { tool: unknown },
  });
}
