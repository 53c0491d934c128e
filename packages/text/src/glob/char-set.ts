/** The inside of `[…]` in a glob. */
export interface CharSet {
  readonly negated: boolean;
  readonly pairs: readonly (readonly [string, string])[];
  readonly classes: readonly RegExp[];
}

/** `inside` is what stands between the brackets: `a-z`, `!0-9`, `[:alpha:]_`. */
export function parseCharSet(inside: string, ignoreCase: boolean): CharSet {
  const negated = inside[0] === "!" || inside[0] === "^";
  const classes: RegExp[] = [];
  const rest = (negated ? inside.slice(1) : inside).replace(/\[:([a-z]+):\]/g, (written, name: string) => {
    const found = CLASSES[ignoreCase && /^(upp|low)er$/.test(name) ? "alpha" : name];
    if (!found) return written;
    classes.push(found);
    return "";
  });
  return { negated, pairs: pairsOf(Array.from(rest)), classes };
}

export function isInSet({ negated, pairs, classes }: CharSet, char: string): boolean {
  const isNamed =
    pairs.some(([low, high]) => low <= char && char <= high) || classes.some((each) => each.test(char));
  return isNamed !== negated;
}

/** Behind the `]` that closes the class at `open`; just behind `open` when none does. */
export function endOfClass(pattern: string, open: number): number {
  let at = open + 1;
  if (pattern[at] === "!" || pattern[at] === "^") at++;
  if (pattern[at] === "]") at++;
  for (; at < pattern.length; at++) {
    if (pattern[at] === "\\") at++;
    else if (pattern[at] === "]") return at + 1;
    else if (pattern[at] === "/") break;
    else if (pattern[at] === "[")
      at += (/^\[:[a-z]{1,6}:\]/.exec(pattern.slice(at, at + 10))?.[0].length ?? 1) - 1;
  }
  return open + 1;
}

const CLASSES: Readonly<Record<string, RegExp | undefined>> = {
  alnum: /[\p{L}\p{N}]/u,
  alpha: /\p{L}/u,
  blank: /[ \t]/,
  cntrl: /\p{Cc}/u,
  digit: /[0-9]/,
  graph: /[^\p{Z}\p{C}]/u,
  lower: /\p{Ll}/u,
  print: /[^\p{C}]/u,
  punct: /[\p{P}\p{S}]/u,
  space: /\s/,
  upper: /\p{Lu}/u,
  xdigit: /[0-9A-Fa-f]/,
};

function pairsOf(chars: readonly string[]): readonly (readonly [string, string])[] {
  const pairs: [string, string][] = [];
  for (let at = 0; at < chars.length; at++) {
    if (chars[at] === "\\" && at + 1 < chars.length) at++;
    const low = chars[at] as string;
    const isRange = chars[at + 1] === "-" && at + 2 < chars.length;
    const high = isRange ? (chars[at + 2] as string) : low;
    pairs.push([low, high]);
    if (isRange) at += 2;
  }
  return pairs;
}
