import { PatternError } from "@haft/text/path-rules";
import type { ClassNode } from "./regex-node.js";

/** A cursor over a pattern, by code point, that knows how to complain about the place it stands at. */
export class PatternReader {
  position = 0;
  /** Classes met so far: a second `\w` is the first one again, and costs nothing. */
  readonly classes = new Map<string, ClassNode>();

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

  /** The next code point; the caller has checked that there is one. */
  next(): number {
    const codePoint = this.source.codePointAt(this.position) as number;
    this.position += codePoint > 0xffff ? 2 : 1;
    return codePoint;
  }

  /** Everything up to `end`, which is consumed too; undefined when `end` never comes. */
  until(end: string): string | undefined {
    const stop = this.source.indexOf(end, this.position);
    if (stop < 0) return undefined;
    const text = this.source.slice(this.position, stop);
    this.position = stop + end.length;
    return text;
  }

  fail(construct: string, hint: string, position = this.position): never {
    throw new PatternError(construct, position, hint);
  }
}
