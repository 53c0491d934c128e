import { renderForHuman } from "@haft/text";

/** Text that comes in pieces, made safe piece by piece: what two pieces only mean together is kept back. */
export class StreamedText {
  #kept = "";

  add(delta: string): string {
    const text = this.#kept + delta;
    const isOpen = OPEN_END.test(text);
    this.#kept = isOpen ? text.slice(-1) : "";
    return renderForHuman(isOpen ? text.slice(0, -1) : text);
  }

  end(): string {
    const rest = renderForHuman(this.#kept);
    this.#kept = "";
    return rest;
  }
}

// A carriage return may be half of a line break, a high surrogate is half of a character.
const OPEN_END = /[\r\ud800-\udbff]$/;
