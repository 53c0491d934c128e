import { PatternError } from "../pattern-error.js";
import { PATTERN_LIMITS } from "./pattern-limits.js";
import type { ClassNode } from "./regex-node.js";

/** A cursor over the code points of a pattern. It reports errors at its position. */
export class PatternReader {
  position = 0;
  /** Classes parsed so far: a second `\w` reuses the first and costs nothing. */
  readonly classes = new Map<string, ClassNode>();

  /** Whether the pattern contains a carriage return other than to exclude it. */
  namesCarriageReturn = false;
  private ranges = 0;
  private readonly rareProperties = new Set<string>();

  constructor(readonly source: string) {}

  get done(): boolean {
    return this.position >= this.source.length;
  }

  peek(offset = 0): string {
    return this.source[this.position + offset] ?? "";
  }

  startsWith(text: string): boolean {
    return this.source.startsWith(text, this.position);
  }

  eat(text: string): boolean {
    if (!this.startsWith(text)) return false;
    this.position += text.length;
    return true;
  }

  /** Returns the next code point. The caller has checked that there is one. */
  next(): number {
    const codePoint = this.source.codePointAt(this.position) as number;
    this.position += codePoint > 0xffff ? 2 : 1;
    return codePoint;
  }

  /** Consumes everything up to and including `end`; undefined if `end` does not occur. */
  until(end: string): string | undefined {
    const stop = this.source.indexOf(end, this.position);
    if (stop < 0) return undefined;
    const text = this.source.slice(this.position, stop);
    this.position = stop + end.length;
    return text;
  }

  /** Returns the class, created once per source and flags. */
  classOnce(key: string, make: () => ClassNode): ClassNode {
    const known = this.classes.get(key);
    if (known) return known;
    const made = make();
    this.classes.set(key, made);
    this.countRanges(made.ranges.length / 2);
    return made;
  }

  /** Bounds the cost of parsing classes: a Unicode class is short to write and expensive to compute. */
  countRanges(count: number): void {
    this.ranges += count;
    if (this.ranges > PATTERN_LIMITS.classRanges) {
      this.fail("pattern too large", "use fewer character classes, or narrower ones", 0);
    }
  }

  /** Bounds how many Unicode properties are looked up one character at a time. */
  countRareProperty(name: string): void {
    this.rareProperties.add(name);
    if (this.rareProperties.size > PATTERN_LIMITS.rareProperties) {
      this.fail("too many Unicode properties", `use at most ${PATTERN_LIMITS.rareProperties} rare ones`);
    }
  }

  fail(construct: string, hint: string, position = this.position): never {
    throw new PatternError(construct, position, hint);
  }
}
