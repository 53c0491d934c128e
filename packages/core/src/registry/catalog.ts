import type { AnyToolClass } from "../tool/tool.js";

/**
 * The tool classes that this process imported: the only process-wide state. It holds no instances and grants
 * nothing. A runtime takes one snapshot, so later imports do not change a running runtime.
 */
export const catalog = {
  snapshot: (): readonly AnyToolClass[] => [...announced()],
};

/** Called by `@tool`, at import time. */
export function announce(toolClass: AnyToolClass): void {
  announced().add(toolClass);
}

// On globalThis under a registered symbol, so that two copies of this package share one catalog.
const CATALOG = Symbol.for("haft.catalog.v1");

function announced(): Set<AnyToolClass> {
  const holder = globalThis as unknown as Record<symbol, Set<AnyToolClass> | undefined>;
  holder[CATALOG] ??= new Set();
  return holder[CATALOG];
}
