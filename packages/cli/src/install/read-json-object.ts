/** An object in a text, with the positions of its members. */
export interface JsonObject {
  readonly start: number;
  readonly end: number;
  readonly members: readonly JsonMember[];
}

interface JsonMember {
  readonly key: string;
  readonly start: number;
  readonly value: JsonValue;
  /** The position after the following comma, if there is one. */
  readonly commaEnd: number | undefined;
}

interface JsonValue {
  readonly start: number;
  readonly end: number;
  /** Present if the value is an object. */
  readonly object?: JsonObject;
}

/** Finds the members of a JSON text with comments and trailing commas. Returns undefined if it is not an object. */
export function readJsonObject(text: string): JsonObject | undefined {
  try {
    return new Reader(text).whole().object;
  } catch {
    return undefined;
  }
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  whole(): JsonValue {
    const value = this.#value();
    this.#skip();
    if (this.#at < this.#text.length) throw this.#unexpected();
    return value;
  }

  #value(): JsonValue {
    this.#skip();
    const start = this.#at;
    if (this.#take("{")) {
      const members = this.#list("}", () => this.#member());
      return { start, end: this.#at, object: { start, end: this.#at, members } };
    }
    if (this.#take("[")) this.#list("]", () => ({ value: this.#value() }));
    else this.#scalar();
    return { start, end: this.#at };
  }

  #member(): Omit<JsonMember, "commaEnd"> {
    const start = this.#at;
    const key = this.#scalar();
    this.#skip();
    if (typeof key !== "string" || !this.#take(":")) throw this.#unexpected();
    return { key, start, value: this.#value() };
  }

  /** Reads up to the closing sign. A comma may follow the last item. */
  #list<T extends object>(end: string, read: () => T): (T & { commaEnd: number | undefined })[] {
    const items: (T & { commaEnd: number | undefined })[] = [];
    for (;;) {
      this.#skip();
      if (this.#take(end)) return items;
      if (items.length > 0 && items.at(-1)?.commaEnd === undefined) throw this.#unexpected();
      const item = read();
      this.#skip();
      items.push({ ...item, commaEnd: this.#take(",") ? this.#at : undefined });
    }
  }

  #scalar(): unknown {
    SCALAR.lastIndex = this.#at;
    const [found] = SCALAR.exec(this.#text) ?? [];
    if (found === undefined) throw this.#unexpected();
    this.#at += found.length;
    return JSON.parse(found);
  }

  #take(sign: string): boolean {
    if (this.#text[this.#at] !== sign) return false;
    this.#at += 1;
    return true;
  }

  /** Skips spaces and comments. */
  #skip(): void {
    BETWEEN.lastIndex = this.#at;
    this.#at += BETWEEN.exec(this.#text)?.[0].length ?? 0;
  }

  #unexpected(): SyntaxError {
    return new SyntaxError(`unexpected text at ${this.#at}`);
  }
}

const SCALAR = /"(?:[^"\\]|\\.)*"|[-+.\w]+/y;
const BETWEEN = /(?:\s+|\/\/[^\r\n]*|\/\*[\s\S]*?\*\/)*/y;
