import { EmphasisStack, type InlineStyle } from "./emphasis-stack.js";
import { ENTITIES, ENTITY, OPEN_ENTITY } from "./entities.js";
import { ADDRESS, LINE_BREAK, LINK, OPEN_ADDRESS, OPEN_LINK } from "./link-patterns.js";

export interface InlineSpan {
  readonly text: string;
  /** Innermost first. */
  readonly styles: readonly InlineStyle[];
}

export interface InlineText {
  readonly spans: readonly InlineSpan[];
  /** Text added to the end can change the rendering from here on. */
  readonly certainTo: number;
}

/** Parses code, emphasis, links, entities and escapes in one line of Markdown. Leaves other marks unchanged. */
export function parseInline(text: string, options: InlineOptions = {}): InlineText {
  const line = new InlineLine(text, options);
  line.parse();
  return { spans: line.spans, certainTo: line.certainTo };
}

export interface InlineOptions {
  /** Keeps the backticks around code, for an output that cannot style it. */
  readonly keepsCodeMarks?: boolean;
}

/** A piece of the line: text in one style, and the emphasis around it. */
interface Piece {
  text: string;
  readonly own: readonly InlineStyle[];
  readonly around: InlineStyle[];
}

class InlineLine {
  readonly #text: string;
  readonly #options: InlineOptions;
  readonly #pieces: Piece[] = [];
  readonly #emphasis = new EmphasisStack();
  #certainTo: number;

  constructor(text: string, options: InlineOptions) {
    this.#text = text;
    this.#options = options;
    this.#certainTo = text.length;
  }

  get spans(): readonly InlineSpan[] {
    return this.#pieces
      .filter(({ text }) => text !== "")
      .map(({ text, own, around }) => ({ text, styles: [...own, ...around] }));
  }

  get certainTo(): number {
    return Math.min(this.#certainTo, this.#emphasis.openAt ?? this.#certainTo);
  }

  parse(): void {
    for (let at = 0; at < this.#text.length; ) at = this.#step(at);
  }

  /** Parses the construct that starts here, and returns where it ends. */
  #step(at: number): number {
    const character = this.#text[at] ?? "";
    switch (character) {
      case "`":
        return this.#code(at);
      case "*":
      case "_":
      case "~":
        return this.#delimiters(at);
      case "[":
      case "!":
      case "<":
        return this.#link(at);
      case "\\":
        return this.#escape(at);
      case "&":
        return this.#entity(at);
      default: {
        const end = this.#match(PLAIN_TEXT, at)?.[0].length ?? 1;
        return this.#add(at, at + end);
      }
    }
  }

  #code(at: number): number {
    const ticks = this.#match(/`+/y, at)?.[0] ?? "`";
    const from = at + ticks.length;
    const end = closingTicks(this.#text, from, ticks.length);
    if (end === undefined) {
      this.#doubt(at);
      return this.#add(at, from);
    }
    const whole = end + ticks.length;
    if (whole === this.#text.length) this.#doubt(at);
    if (this.#options.keepsCodeMarks === true) return this.#add(at, whole, ["code"]);
    const inner = this.#text.slice(from, end);
    this.#put(/^ .*[^ ].* $/.test(inner) ? inner.slice(1, -1) : inner, ["code"]);
    return whole;
  }

  #delimiters(at: number): number {
    const run = this.#match(/\*+|_+|~+/y, at)?.[0] ?? "";
    const end = at + run.length;
    // Its meaning depends on the next character.
    if (end === this.#text.length) this.#doubt(this.#emphasis.openAt ?? at);
    const first = this.#pieces.length;
    const before = lastCharacter(this.#text, at);
    const after = nextCharacter(this.#text, end);
    const left = this.#emphasis.read({ run, at, before, after, pieces: first }, this.#pieces, this.#text);
    this.#put(left, []);
    return end;
  }

  #link(at: number): number {
    const link = this.#match(LINK, at);
    if (link !== null) {
      const { label = "", target = "" } = link.groups ?? {};
      this.#linked(label, target);
      return at + link[0].length;
    }
    const address = this.#match(ADDRESS, at);
    if (address !== null) {
      this.#put(address[1] ?? "", ["link"]);
      return at + address[0].length;
    }
    const lineBreak = this.#match(LINE_BREAK, at);
    if (lineBreak !== null) {
      this.#put(" ", []);
      return at + lineBreak[0].length;
    }
    if (this.#match(OPEN_LINK, at) !== null || this.#match(OPEN_ADDRESS, at) !== null) this.#doubt(at);
    return this.#add(at, at + 1);
  }

  /** Shows where a link leads, because its text may say something else. */
  #linked(label: string, target: string): void {
    const { spans } = parseInline(label, this.#options);
    for (const { text } of spans) this.#put(text, ["link"]);
    const shown = spans.map(({ text }) => text).join("");
    if (target !== "" && target !== shown && target !== `mailto:${shown}`)
      this.#put(` (${target})`, ["target"]);
  }

  #escape(at: number): number {
    const next = this.#text[at + 1];
    if (next === undefined) this.#doubt(at);
    if (next === undefined || !ESCAPABLE.includes(next)) return this.#add(at, at + 1);
    return this.#add(at + 1, at + 2);
  }

  #entity(at: number): number {
    const [whole = "&", name = ""] = this.#match(ENTITY, at) ?? [];
    const character = ENTITIES.get(name);
    if (character === undefined && this.#match(OPEN_ENTITY, at) !== null) this.#doubt(at);
    if (character === undefined) return this.#add(at, at + 1);
    this.#put(character, []);
    return at + whole.length;
  }

  #doubt(at: number): void {
    this.#certainTo = Math.min(this.#certainTo, at);
  }

  #add(from: number, to: number, own: readonly InlineStyle[] = []): number {
    this.#put(this.#text.slice(from, to), own);
    return to;
  }

  #put(text: string, own: readonly InlineStyle[]): void {
    this.#pieces.push({ text, own, around: [] });
  }

  #match(pattern: RegExp, at: number): RegExpExecArray | null {
    pattern.lastIndex = at;
    return pattern.exec(this.#text);
  }
}

const PLAIN_TEXT = /[^`*_~[!<\\&]+/y;
const ESCAPABLE = "`*_~[]<>|#";

/** Returns the start of the run of exactly this many backticks that closes the code. */
function closingTicks(text: string, from: number, count: number): number | undefined {
  for (const { 0: run, index } of text.slice(from).matchAll(/`+/g))
    if (run.length === count && index > 0) return from + index;
  return undefined;
}

function lastCharacter(text: string, before: number): string | undefined {
  return before === 0 ? undefined : text.slice(Math.max(0, before - 2), before).match(/.$/su)?.[0];
}

function nextCharacter(text: string, at: number): string | undefined {
  const code = text.codePointAt(at);
  return code === undefined ? undefined : String.fromCodePoint(code);
}
