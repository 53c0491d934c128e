/** Output since the last read, both streams in order of arrival. Bounded: keeps the newest. */
export class NewOutput {
  #text = "";
  #omittedChars = 0;

  push(chunk: string): void {
    this.#text += chunk;
    const excess = this.#text.length - MAX_CHARS;
    if (excess <= 0) return;
    this.#omittedChars += excess;
    this.#text = this.#text.slice(excess);
  }

  take(): { readonly text: string; readonly omittedChars: number } {
    const taken = { text: this.#text, omittedChars: this.#omittedChars };
    this.#text = "";
    this.#omittedChars = 0;
    return taken;
  }
}

const MAX_CHARS = 64 * 1024;
