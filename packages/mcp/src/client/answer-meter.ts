interface AnswerSize {
  readonly bytes: number;
  readonly values: number;
}

/**
 * Measures a response while it arrives. Measures each event of a stream separately, because readers hold one at a time.
 */
export class AnswerMeter {
  readonly #isStream: boolean;
  #bytes = 0;
  #values = 0;
  #lineBytes = 0;
  #previous = 0;
  #isInString = false;
  #isEscaped = false;

  constructor(isStream: boolean) {
    this.#isStream = isStream;
  }

  /** Returns the most bytes and values a reader has to hold while processing the chunk. */
  add(chunk: Uint8Array): AnswerSize {
    let [bytes, values] = [0, 0];
    for (const byte of chunk) {
      this.#bytes += 1;
      this.#count(byte);
      if (this.#isStream && this.#endsEvent(byte)) {
        [bytes, values] = [Math.max(bytes, this.#bytes), Math.max(values, this.#values)];
        [this.#bytes, this.#values] = [0, 0];
      }
    }
    return { bytes: Math.max(bytes, this.#bytes), values: Math.max(values, this.#values) };
  }

  #count(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (this.#isInString && byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) this.#isInString = !this.#isInString;
    else if (!this.#isInString && (byte === COMMA || byte === OPEN_LIST || byte === OPEN_OBJECT))
      this.#values += 1;
  }

  /** An event ends with an empty line. Lines end with "\n", "\r" or both. */
  #endsEvent(byte: number): boolean {
    const isSecondHalf = byte === LF && this.#previous === CR;
    this.#previous = byte;
    if (isSecondHalf) return false;
    if (byte !== LF && byte !== CR) {
      this.#lineBytes += 1;
      return false;
    }
    const isEmpty = this.#lineBytes === 0;
    this.#lineBytes = 0;
    // JSON strings contain no raw line breaks, so no string is open on the next line.
    [this.#isInString, this.#isEscaped] = [false, false];
    return isEmpty;
  }
}

const [LF, CR, QUOTE, COMMA, BACKSLASH] = [0x0a, 0x0d, 0x22, 0x2c, 0x5c];
const [OPEN_LIST, OPEN_OBJECT] = [0x5b, 0x7b];
