/**
 * Why a command does not run without approval. `deny` overrides the configuration, `ask` always needs approval,
 * `unlisted` follows the setting `commands.onUnlisted`. `beyond` needs more than the box provides and asks, unless
 * that setting denies.
 */
export interface Objection {
  readonly level: "deny" | "ask" | "beyond" | "unlisted";
  readonly reason: string;
  /** The Haft tool or the form of the command to use instead. */
  readonly suggestion?: string;
}

export function deny(reason: string, suggestion?: string): Objection {
  return objection("deny", reason, suggestion);
}

export function unlisted(reason: string, suggestion?: string): Objection {
  return objection("unlisted", reason, suggestion);
}

export function beyond(reason: string): Objection {
  return objection("beyond", reason, undefined);
}

/** Returns the first objection that a list of checks raises, in order. */
export function firstObjection<Item>(
  items: Iterable<Item>,
  check: (item: Item) => Objection | undefined,
): Objection | undefined {
  for (const item of items) {
    const found = check(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

function objection(level: Objection["level"], reason: string, suggestion: string | undefined): Objection {
  return suggestion === undefined ? { level, reason } : { level, reason, suggestion };
}
