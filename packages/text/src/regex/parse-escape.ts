import { type CharRanges, negateRanges } from "./char-ranges.js";
import { foldCase, foldIfAsked } from "./fold-case.js";
import type { PatternReader } from "./pattern-reader.js";
import type { RegexFlags } from "./regex-flags.js";
import { type ClassNode, classNode, concatNodes, type Look, type RegexNode } from "./regex-node.js";
import { perlClass, propertyRanges } from "./unicode-class.js";

/** Parses an escape outside brackets: a position, a quoted run, or a class as inside brackets. */
export function parseEscape(reader: PatternReader, flags: RegexFlags): RegexNode {
  const look = parseLook(reader, flags);
  if (look) return { kind: "assert", look };
  if (reader.eat("\\Q")) return parseQuoted(reader, flags);
  const start = reader.position;
  const item = parseClassEscape(reader, flags);
  if (isCarriageReturn(item)) reader.namesCarriageReturn = true;
  const key = `${reader.source.slice(start, reader.position)} ${flags.ignoreCase} ${flags.unicode}`;
  return reader.classOnce(key, () =>
    escapeNode(item, flags, isByteEscape(reader.source, start, item.ranges)),
  );
}

function escapeNode({ ranges, isClass }: ClassItem, flags: RegexFlags, isByte: boolean): ClassNode {
  const unit = !flags.unicode && (isClass || isByte) ? "byte" : "char";
  return classNode(unit, foldIfAsked(ranges, flags));
}

/** Parses one character or a named class. `isClass` distinguishes them, because a class cannot bound a range. */
export interface ClassItem {
  readonly ranges: CharRanges;
  readonly isClass: boolean;
}

export function isCarriageReturn({ ranges, isClass }: ClassItem): boolean {
  return !isClass && ranges[0] === 0x0d;
}

export function parseClassEscape(reader: PatternReader, flags: RegexFlags): ClassItem {
  const start = reader.position;
  reader.eat("\\");
  if (reader.done) reader.fail("pattern ends in a lone backslash", "write \\\\ for the character", start);
  const char = String.fromCodePoint(reader.next());
  if ("dswDSW".includes(char)) return perlItem(char, flags);
  if (char === "p" || char === "P") return propertyItem(reader, flags, { start, negated: char === "P" });
  const control = CONTROL_ESCAPES[char];
  if (control !== undefined) return single(control);
  if (char === "x" || char === "u" || char === "U") return single(parseHex(reader, char, start));
  if (/^[0-7]$/.test(char)) {
    const octal = parseOctal(reader, char);
    if (octal !== undefined) return single(octal);
  }
  if (/^[!-/:-@[-`{-~ ]$/.test(char)) return single(char.charCodeAt(0));
  const [name, hint] = FOREIGN_ESCAPES[char] ?? foreignDigit(char);
  return reader.fail(name, hint, start);
}

const CONTROL_ESCAPES: Readonly<Record<string, number>> = { a: 7, f: 12, n: 10, r: 13, t: 9, v: 11 };

const FOREIGN_ESCAPES: Readonly<Record<string, readonly [string, string]>> = {
  b: ["\\b inside brackets", "write \\x08 for the backspace character"],
  Z: ["\\Z is not supported", "write $ or \\z"],
  G: ["\\G is not supported", "write ^ or \\A"],
  K: ["\\K is not supported", "leave it out; the whole line is shown"],
  R: ["\\R is not supported", "write \\r?\\n and set multiline to true"],
  X: ["\\X is not supported", "write . or \\P{M}\\p{M}*"],
  h: ["\\h is not supported", "write [ \\t]"],
  H: ["\\H is not supported", "write [^ \\t]"],
  N: ["\\N is not supported", "write ."],
  k: ["named back-reference \\k is not supported", "repeat the text itself"],
  e: ["\\e is not supported", "write \\x1b"],
  C: ["\\C is not supported", "write (?s-u:.)"],
};

function foreignDigit(char: string): readonly [string, string] {
  if (/[0-9]/.test(char)) {
    return [`back-reference \\${char} is not supported`, "repeat the text itself"];
  }
  return [`unknown escape \\${char}`, `write ${char} for the character itself`];
}

function parseLook(reader: PatternReader, flags: RegexFlags): Look | undefined {
  const unicode = flags.unicode;
  if (reader.eat("\\b{start}") || reader.eat("\\<")) return "word-start";
  if (reader.eat("\\b{end}") || reader.eat("\\>")) return "word-end";
  if (/^\\b\{[a-z-]+\}/.test(reader.source.slice(reader.position, reader.position + 20)))
    return reader.fail("unknown word boundary", "write \\b, \\b{start} or \\b{end}");
  if (reader.eat("\\b")) return unicode ? "word" : "ascii-word";
  if (reader.eat("\\B")) return unicode ? "not-word" : "ascii-not-word";
  if (reader.eat("\\A")) return "text-start";
  return reader.eat("\\z") ? "text-end" : undefined;
}

function parseQuoted(reader: PatternReader, flags: RegexFlags): RegexNode {
  const end = reader.source.indexOf("\\E", reader.position);
  const text = reader.source.slice(reader.position, end < 0 ? undefined : end);
  reader.position = end < 0 ? reader.source.length : end + 2;
  if (text.includes("\r")) reader.namesCarriageReturn = true;
  return concatNodes(
    Array.from(text, (char): RegexNode => {
      const point = char.codePointAt(0) as number;
      return classNode("char", flags.ignoreCase ? foldCase([point, point]) : [point, point]);
    }),
  );
}

function perlItem(char: string, flags: RegexFlags): ClassItem {
  const ranges = perlClass(char.toLowerCase() as "d" | "s" | "w", flags.unicode);
  const negated = char < "a";
  return { ranges: negated ? negateRanges(ranges, flags.unicode ? undefined : 0xff) : ranges, isClass: true };
}

function propertyItem(
  reader: PatternReader,
  flags: RegexFlags,
  { start, negated: negatedLetter }: { readonly start: number; readonly negated: boolean },
): ClassItem {
  let name: string | undefined;
  if (reader.eat("{")) name = reader.until("}");
  else if (!reader.done) name = String.fromCodePoint(reader.next());
  if (name === undefined) return reader.fail("unclosed Unicode property", "write \\p{Greek} or \\pL", start);
  const negated = name.startsWith("^") !== negatedLetter;
  const ranges = propertyRanges(name.startsWith("^") ? name.slice(1) : name, (rare) =>
    reader.countRareProperty(rare),
  );
  if (!ranges)
    return reader.fail(
      `unknown Unicode property ${name}`,
      "write a script or category, e.g. \\p{Greek}, \\p{Lu}",
      start,
    );
  return { ranges: negated ? negateRanges(foldIfAsked(ranges, flags)) : ranges, isClass: true };
}

/** Parses `\012`, and `\0` alone. A single digit from 1 on would be a back-reference. */
function parseOctal(reader: PatternReader, first: string): number | undefined {
  const more = /^[0-7]{0,2}/.exec(reader.source.slice(reader.position, reader.position + 2))?.[0] ?? "";
  if (more === "" && first !== "0") return undefined;
  reader.position += more.length;
  return Number.parseInt(first + more, 8);
}

function parseHex(reader: PatternReader, letter: string, start: number): number {
  let digits: string | undefined;
  if (reader.eat("{")) digits = reader.until("}");
  else {
    const length = letter === "x" ? 2 : letter === "u" ? 4 : 8;
    digits = reader.source.slice(reader.position, reader.position + length);
    if (digits.length < length) digits = undefined;
    else reader.position += length;
  }
  if (!digits || !/^[0-9a-fA-F]{1,8}$/.test(digits)) {
    return reader.fail(`invalid hexadecimal escape \\${letter}`, "write \\x7F or \\x{10FFFF}", start);
  }
  const value = Number.parseInt(digits, 16);
  if (value <= 0x10ffff && (value < 0xd800 || value > 0xdfff)) return value;
  return reader.fail("hexadecimal escape is not a character", "use at most \\x{10FFFF}", start);
}

function isByteEscape(source: string, start: number, ranges: CharRanges): boolean {
  return source[start + 1] === "x" && (ranges[0] as number) >= 0x80 && (ranges[0] as number) <= 0xff;
}

function single(value: number): ClassItem {
  return { ranges: [value, value], isClass: false };
}
