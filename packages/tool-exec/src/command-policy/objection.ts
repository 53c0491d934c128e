/**
 * Why a command may not simply run. `deny` stands whatever the host configured, `ask` always goes to a human,
 * `unlisted` follows the host's `onUnlisted` setting.
 */
export interface Objection {
  readonly level: "deny" | "ask" | "unlisted";
  readonly reason: string;
  /** The Haft tool or the form of the command to use instead. */
  readonly suggestion?: string;
}

export function deny(reason: string, suggestion?: string): Objection {
  return objection("deny", reason, suggestion);
}

export function ask(reason: string, suggestion?: string): Objection {
  return objection("ask", reason, suggestion);
}

export function unlisted(reason: string, suggestion?: string): Objection {
  return objection("unlisted", reason, suggestion);
}

/** The first objection that a list of checks raises, in order. */
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
