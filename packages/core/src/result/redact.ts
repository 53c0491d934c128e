/** Removes secrets from everything that leaves the runtime. Returns the same value if there are none. */
export type Redact = <T>(value: T) => T;

/** Applies a text redactor to every string of a JSON-like value. */
export function redactStrings(redactText: (text: string) => string): Redact {
  const visit = (value: unknown): unknown => {
    if (typeof value === "string") return redactText(value);
    if (Array.isArray(value)) return keepIfSame(value, value.map(visit));
    if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return value;
    const entries = Object.entries(value);
    const redacted = entries.map(([key, member]) => [key, visit(member)] as const);
    return redacted.every(([, member], index) => member === entries[index]?.[1])
      ? value
      : Object.fromEntries(redacted);
  };
  return <T>(value: T) => visit(value) as T;
}

export const redactNothing: Redact = (value) => value;

function keepIfSame(before: readonly unknown[], after: readonly unknown[]): readonly unknown[] {
  return after.every((item, index) => item === before[index]) ? before : after;
}
