interface DuplicateKey {
  /** The line of the later key, from 1. */
  readonly line: number;
  readonly firstLine: number;
}

/** Finds a key that occurs twice in one object, of which JSON.parse would take the last. The text must be valid JSON. */
export function duplicateKey(text: string): DuplicateKey | undefined {
  // The keys of each open object with their positions; undefined for an array.
  const open: (Map<string, number> | undefined)[] = [];
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === "{" || token === "[") open.push(token === "{" ? new Map() : undefined);
    else if (token === "}" || token === "]") open.pop();
    else if (token.endsWith(":")) {
      const key: string = JSON.parse(token.slice(0, -1));
      const first = open.at(-1)?.get(key);
      if (first !== undefined) return { line: lineAt(text, index), firstLine: lineAt(text, first) };
      open.at(-1)?.set(key, index);
    }
  }
  return undefined;
}

/** Strings, with the colon that makes one a key, and the marks around objects and arrays. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"(?:\s*:)?|[{}[\]]/g;

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split("\n").length;
}
