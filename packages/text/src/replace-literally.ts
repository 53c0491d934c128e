/** Replaces every occurrence, left to right without overlap. `$&` and `$1` in the replacement are literal. */
export function replaceLiterally(
  text: string,
  find: string,
  replacement: string,
): { text: string; count: number } {
  const starts = findAll(text, find);
  if (starts.length === 0) return { text, count: 0 };
  const pieces: string[] = [];
  let from = 0;
  for (const start of starts) {
    pieces.push(text.slice(from, start));
    from = start + find.length;
  }
  pieces.push(text.slice(from));
  return { text: pieces.join(replacement), count: starts.length };
}

/** Returns the offsets of non-overlapping occurrences of `find`. An empty `find` never occurs. */
export function findAll(text: string, find: string): number[] {
  const starts: number[] = [];
  if (find === "") return starts;
  for (let at = text.indexOf(find); at !== -1; at = text.indexOf(find, at + find.length)) starts.push(at);
  return starts;
}
