import { endOfClass, parseCharSet } from "./glob/char-set.js";
import { closingPlace } from "./glob/split-outside.js";
import { renderInline, splitHidden } from "./render-for-human.js";

/**
 * Throws an Error on a path pattern that would match literally, or nothing, and is likely a mistake: an unclosed
 * bracket, a range in reverse, a leading `!` or `~/`, `//`, `/./`, a blank at an end, an invisible character, `+(…)`,
 * `\` between folders. Put `\` before a character that is meant literally.
 */
export function assertReadablePattern(pattern: string): void {
  const fail = (problem: string) => {
    throw new Error(`The pattern ${JSON.stringify(pattern)} ${problem}`);
  };
  if (pattern.startsWith("!"))
    fail(`starts with "!"; leave paths out with not: ${JSON.stringify(pattern.slice(1))}`);
  if (pattern.startsWith("~/")) fail('starts with "~"; paths are relative to the workspace');
  if (pattern.includes("//") || pattern.split("/").slice(1).includes("."))
    fail('has "//" or "/./", which no workspace path has');
  if (pattern.includes("\0")) fail("has a NUL character, which no path has");
  if (/^\s|(?<!\\)\s$/.test(pattern)) fail("starts or ends with a blank; put \\ before it if it is meant");
  const hidden = hiddenIn(pattern);
  if (hidden !== undefined)
    fail(`has the invisible character ${hidden}; remove it, or put \\ before it if it is meant`);
  if (pattern.split("/").includes("..")) fail('has "..", which no workspace path has');
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern[at] as string;
    if (character === "\\") {
      if (SEPARATES.test(pattern.slice(at))) fail('has "\\"; paths are written with "/"');
      at += 1;
    } else if (character === "[") at = endOfSet(pattern, at, fail) - 1;
    else if (character === "{" && closingPlace(pattern, at, "{}") === undefined)
      fail('has a "{" without a "}"');
    else if (pattern[at + 1] === "(" && "+@?*!".includes(character))
      fail(`has "${character}(", which is not supported; write {a,b} for alternatives`);
  }
}

/** Returns the first character that cannot be seen and has no `\` before it, in a form that can be seen. */
function hiddenIn(pattern: string): string | undefined {
  const plain = pattern.replace(/\\[\s\S]/gu, "");
  const found = /[\n\t]/.exec(plain)?.[0] ?? splitHidden(plain).find(({ isHidden }) => isHidden)?.text;
  return found === undefined ? undefined : renderInline([...found][0] ?? "");
}

/** No letter or digit needs `\` before it, and nobody means a literal `*` that a wildcard follows. */
const SEPARATES = /^\\(?:[\p{L}\p{N}_]|\*\*|$)/u;

function endOfSet(pattern: string, open: number, fail: (problem: string) => void): number {
  const end = endOfClass(pattern, open);
  if (end === open + 1) fail('has a "[" without a "]"');
  const set = pattern.slice(open, end);
  if (parseCharSet(set.slice(1, -1), false).pairs.some(([low, high]) => low > high))
    fail(`has ${set}, whose range is in reverse`);
  return end;
}
