import { MAX_CODE_POINT, mergeRanges } from "./char-ranges.js";

/** Finds the characters of any Unicode property by testing each against V8. Takes some 40 ms; for rare properties. */
export function scanProperty(name: string): number[] | undefined {
  const pattern = propertyPattern(name);
  if (!pattern) return undefined;
  const ranges: number[] = [];
  for (let start = 0; start <= MAX_CODE_POINT; start += BLOCK) {
    if (start >= 0xd800 && start < 0xe000) continue;
    if (isUniform(start)) {
      if (pattern.test(String.fromCodePoint(start))) ranges.push(start, start + BLOCK - 1);
    } else scanBlock(pattern, start, ranges);
  }
  return mergeRanges(ranges);
}

const BLOCK = 0x800;

// Whole planes are unassigned or private use: one character represents all but the last two of a plane.
function isUniform(start: number): boolean {
  return start >= 0x40000 && !(start >= 0xe0000 && start < 0xe1000) && (start & 0xffff) !== 0xf800;
}

function scanBlock(pattern: RegExp, start: number, ranges: number[]): void {
  const block = String.fromCodePoint(...Array.from({ length: BLOCK }, (_, offset) => start + offset));
  const width = start > 0xffff ? 2 : 1;
  for (const match of block.matchAll(new RegExp(`(?:${pattern.source})+`, "gu"))) {
    const low = start + match.index / width;
    ranges.push(low, low + match[0].length / width - 1);
  }
}

// V8 requires the exact spelling of the standard, while pattern languages are loose: try the usual spellings.
function propertyPattern(name: string): RegExp | undefined {
  const [left, right] = name.split(/[=:]/, 2) as [string, string | undefined];
  const prefixes = right === undefined ? ["", "gc=", "sc="] : [`${propertyKey(left)}=`];
  for (const prefix of prefixes) {
    for (const value of spellings(right ?? left)) {
      const pattern = tryPattern(`\\p{${prefix}${value}}`);
      if (pattern) return pattern;
    }
  }
  return undefined;
}

function propertyKey(name: string): string {
  const key = name.toLowerCase().replace(/[\s_-]/g, "");
  if (key === "gc" || key === "generalcategory") return "gc";
  return key === "scx" || key === "scriptextensions" ? "scx" : "sc";
}

function spellings(name: string): string[] {
  const words = name.trim().split(/[\s_-]+/);
  const title = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()).join("_");
  return [...new Set([name, title, name.toUpperCase(), name.toLowerCase()])].filter((text) =>
    /^\w+$/.test(text),
  );
}

function tryPattern(source: string): RegExp | undefined {
  try {
    return new RegExp(source, "u");
  } catch {
    return undefined;
  }
}
