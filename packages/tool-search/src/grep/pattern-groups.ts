/** Returns the position of the parenthesis that closes the group whose body starts at `from`, or undefined. */
export function closingParenthesis(pattern: string, from: number): number | undefined {
  let depth = 1;
  for (const { char, at } of signs(pattern, from)) {
    if (char === "(") depth++;
    else if (char === ")" && --depth === 0) return at;
  }
  return undefined;
}

/** Returns the pattern of a capturing group, by its number from 1 or its name; undefined if it does not exist. */
export function bodyOfGroup(pattern: string, wanted: number | string): string | undefined {
  let number = 0;
  for (const { char, at } of signs(pattern, 0)) {
    if (char !== "(") continue;
    const head = /^\((?:\?P?<(?![=!])([^>]*)>)?/.exec(pattern.slice(at))?.[0] ?? "(";
    if (head === "(" && pattern[at + 1] === "?") continue;
    const name = /<(.*)>/.exec(head)?.[1];
    if (++number !== wanted && name !== wanted) continue;
    const start = at + head.length;
    const end = closingParenthesis(pattern, start);
    return end === undefined ? undefined : pattern.slice(start, end);
  }
  return undefined;
}

/** Yields the characters that are neither escaped nor inside brackets. */
function* signs(pattern: string, from: number): Generator<{ readonly char: string; readonly at: number }> {
  let inClass = false;
  for (let at = from; at < pattern.length; at++) {
    const char = pattern[at] as string;
    if (char === "\\") at++;
    else if (inClass) inClass = char !== "]";
    else if (char === "[") inClass = true;
    else yield { char, at };
  }
}
