import { cutAfter, renderForHuman } from "@haft/text";

/** Escapes text that arrives in pieces. Holds back characters whose meaning depends on the next piece. */
export class StreamedText {
  #kept = "";
  /** The end of the text shown so far: a joiner depends on the character before it. */
  #shown = "";

  add(delta: string): string {
    const text = this.#kept + delta;
    this.#kept = OPEN_END.exec(text)?.[0] ?? "";
    return this.#show(text.slice(0, text.length - this.#kept.length));
  }

  end(): string {
    const rest = this.#show(this.#kept);
    this.#kept = "";
    return rest;
  }

  #show(text: string): string {
    const whole = this.#shown + text;
    const rendered = renderForHuman(whole).slice(renderForHuman(this.#shown).length);
    this.#shown = whole.slice(cutAfter(whole, Math.max(0, whole.length - NEARBY)));
    return rendered;
  }
}

// A carriage return may be half of a line break, and a high surrogate is half of a character. Joiners, selectors and
// tags depend on the characters after them.
const OPEN_END =
  /(?:\r|[\ud800-\udbff]|[\u180b-\u180f]|[\u200b-\u200d]|[\ufe00-\ufe0f]|\udb40[\udc00-\udfff]){1,24}[\ud800-\udbff]?$/;

/** The longest context one character depends on. */
const NEARBY = 24;
