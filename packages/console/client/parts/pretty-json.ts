/** Formats a value as JSON for people. Returns "" if it has no JSON. */
export function prettyJson(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? "";
}
