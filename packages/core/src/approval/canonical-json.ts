/** JSON with sorted keys: equal values give equal text, whatever order they were written in. */
export function canonicalJson(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  // Joined as it is made: arguments may have 100,000 values, and lists of their parts would cost several times as much.
  let text = "";
  if (Array.isArray(value)) {
    for (const item of value) text += `,${canonicalJson(item ?? null)}`;
    return `[${text.slice(1)}]`;
  }
  for (const key of Object.keys(value).sort()) {
    const member: unknown = value[key as keyof typeof value];
    if (member !== undefined) text += `,${JSON.stringify(key)}:${canonicalJson(member)}`;
  }
  return `{${text.slice(1)}}`;
}
