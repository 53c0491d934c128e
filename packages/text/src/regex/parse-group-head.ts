import type { PatternReader } from "./pattern-reader.js";
import { FLAG_LETTERS, type RegexFlags } from "./regex-flags.js";

/** The part between `(` and the group's body. `flags` alone (`(?i)`) has no body and is already closed. */
type GroupHead = {
  readonly kind: "group" | "flags";
  readonly flags: RegexFlags;
  /** The number of a capturing group. */
  readonly index?: number;
};

/** Adds a capturing group to `groups`, under its name if it has one. */
export function parseGroupHead(
  reader: PatternReader,
  flags: RegexFlags,
  groups: (string | undefined)[],
): GroupHead {
  if (!reader.startsWith("?")) return { kind: "group", flags, index: groups.push(undefined) };
  refuseForeignGroups(reader);
  if (reader.eat("?P<") || reader.eat("?<"))
    return { kind: "group", flags, index: groups.push(parseName(reader, groups)) };
  reader.eat("?");
  return parseFlags(reader, flags);
}

const FOREIGN: readonly (readonly [prefix: string, name: string, hint: string])[] = [
  ["?=", "look-ahead (?=…)", "match what follows as part of the pattern, e.g. foobar instead of foo(?=bar)"],
  [
    "?!",
    "negative look-ahead (?!…)",
    "search for the wider pattern and exclude the unwanted lines afterwards",
  ],
  [
    "?<=",
    "look-behind (?<=…)",
    "match what precedes as part of the pattern, e.g. foobar instead of (?<=foo)bar",
  ],
  [
    "?<!",
    "negative look-behind (?<!…)",
    "search for the wider pattern and exclude the unwanted lines afterwards",
  ],
  ["?>", "atomic group (?>…)", "use a plain group (?:…); matching never backtracks here"],
  ["?|", "branch reset group (?|…)", "use a plain alternation (?:a|b)"],
  ["?#", "comment group (?#…)", "remove the comment, or use (?x) and #"],
  [
    "?P=",
    "named back-reference (?P=…)",
    "repeat the text itself; a back-reference cannot run in linear time",
  ],
  ["?P>", "recursion (?P>…)", "write the nesting out to a fixed depth"],
  ["?&", "recursion (?&…)", "write the nesting out to a fixed depth"],
  ["?(", "conditional group (?(…)…)", "use an alternation (?:a|b)"],
  ["?'", "group name in quotes (?'…')", "write (?P<name>…)"],
];

function refuseForeignGroups(reader: PatternReader): void {
  for (const [prefix, name, hint] of FOREIGN) {
    if (reader.startsWith(prefix)) reader.fail(`${name} is not supported`, hint, reader.position - 1);
  }
}

function parseName(reader: PatternReader, names: readonly (string | undefined)[]): string {
  const start = reader.position;
  const name = reader.until(">");
  if (name === undefined) reader.fail("unclosed group name", "write (?P<name>…)", start);
  if (!new RegExp(NAME, "u").test(name)) {
    reader.fail(`invalid group name ${JSON.stringify(name)}`, "use letters, digits and _", start);
  }
  if (names.includes(name))
    reader.fail(`duplicate group name ${name}`, "give each group its own name", start);
  return name;
}

function parseFlags(reader: PatternReader, outer: RegexFlags): GroupHead {
  const flags = { ...outer };
  const seen = new Set<string>();
  let value = true;
  for (;;) {
    if (reader.done) reader.fail("unclosed flags", "write (?i) or (?i:…)");
    const letter = reader.source[reader.position++] as string;
    if ((letter === ")" || letter === ":") && reader.source[reader.position - 2] === "-")
      reader.fail("- without a flag", "write (?-i), or leave the - out", reader.position - 2);
    if (letter === ")" && seen.size > 0) return { kind: "flags", flags };
    if (letter === ":") return { kind: "group", flags };
    const flag = FLAG_LETTERS[letter];
    if (seen.has(letter)) reader.fail(`duplicate flag ${letter}`, "write it once", reader.position - 1);
    seen.add(letter);
    if (letter === "-") value = false;
    else if (flag) flags[flag] = value;
    else if (/[0-9R+]/.test(letter)) {
      reader.fail(
        "recursion is not supported",
        "write the nesting out to a fixed depth",
        reader.position - 1,
      );
    } else
      reader.fail(
        `unknown flag ${JSON.stringify(letter)}`,
        "known flags are i m s x U u",
        reader.position - 1,
      );
  }
}

// Not a literal: V8 expands its properties whenever it reads this file, and names are rare.
const NAME = String.raw`^[\p{Alphabetic}_][\p{Alphabetic}\p{Nd}_.[\]]*$`;
