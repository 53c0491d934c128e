/** The place of the parenthesis that closes the group whose body begins at `from`; undefined when none does. */
export function closingParenthesis(pattern: string, from: number): number | undefined {
  let depth = 1;
  for (const { char, at } of signs(pattern, from)) {
    if (char === "(") depth++;
    else if (char === ")" && --depth === 0) return at;
  }
  return undefined;
}

/** What a capturing group matches, by its number from 1 or by its name; undefined when there is no such group. */
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

/** The characters that are neither escaped nor inside brackets. */
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
