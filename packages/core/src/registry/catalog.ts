import type { AnyToolClass } from "../tool/tool.js";

/**
 * The classes a process imported: the single process-wide thing. It holds no instance and grants
 * nothing; a runtime takes a snapshot once, so a late import changes no running runtime.
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
