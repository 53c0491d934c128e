/** What opens and what closes a part that may hold others of its kind. A backslash takes its meaning from what follows. */
export type Pair = "{}" | "()";

/** What stands between separators that are in no such part. */
export function splitOutside(text: string, separator: string, [open, close]: Pair): string[] {
  const pieces: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === open) depth++;
    else if (text[at] === close) depth--;
    else if (text[at] === separator && depth === 0) {
      pieces.push(text.slice(from, at));
      from = at + 1;
    }
  }
  return [...pieces, text.slice(from)];
}

/** Where the part that opens at a place closes; undefined where it never does. */
export function closingPlace(text: string, opens: number, [open, close]: Pair): number | undefined {
  let depth = 0;
  for (let at = opens; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === open) depth++;
    else if (text[at] === close && --depth === 0) return at;
  }
  return undefined;
}
