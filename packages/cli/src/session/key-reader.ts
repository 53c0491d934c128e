import { StringDecoder } from "node:string_decoder";

/** A key, or typed or pasted text. */
export type Key =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "paste"; readonly text: string }
  | { readonly type: "key"; readonly name: KeyName };

export type KeyName =
  | "enter"
  | "newline"
  | "escape"
  | "interrupt"
  | "eof"
  | "backspace"
  | "delete"
  | "left"
  | "right"
  | "word-left"
  | "word-right"
  | "up"
  | "down"
  | "home"
  | "end"
  | "kill-line"
  | "kill-rest"
  | "kill-word"
  | "redraw"
  | "stop"
  | "mode";

/** Parses raw terminal input into keys. An escape with no bytes following it within a moment is the Escape key. */
export class KeyReader {
  readonly #decoder = new StringDecoder("utf8");
  readonly #onKey: (key: Key) => void;
  #rest = "";
  #timer: NodeJS.Timeout | undefined;

  constructor(onKey: (key: Key) => void) {
    this.#onKey = onKey;
  }

  push(bytes: Buffer): void {
    clearTimeout(this.#timer);
    this.#rest += this.#decoder.write(bytes);
    while (this.#rest !== "" && this.#takeOne());
    if (this.#rest !== "" && !this.#rest.startsWith(PASTE_START))
      this.#timer = setTimeout(() => this.#flush(), ESCAPE_MS);
  }

  /** Returns false if more bytes are needed. */
  #takeOne(): boolean {
    if (this.#rest.startsWith(PASTE_START)) return this.#takePaste();
    if (this.#rest.startsWith(ESCAPE)) return this.#takeEscape();
    const control = CONTROLS[this.#rest[0] ?? ""];
    if (control !== undefined) return this.#take(1, control);
    // Ignores all other control characters.
    if (/^\p{Cc}/u.test(this.#rest)) return this.#take(1, undefined);
    const text = /^\P{Cc}+/u.exec(this.#rest)?.[0] ?? "";
    this.#rest = this.#rest.slice(text.length);
    this.#onKey({ type: "text", text });
    return true;
  }

  /** Waits while a sequence may be incomplete; any other escape is the Escape key. */
  #takeEscape(): boolean {
    const sequence = SEQUENCE.exec(this.#rest.slice(1))?.[0];
    if (sequence !== undefined) return this.#take(1 + sequence.length, SEQUENCES[`${ESCAPE}${sequence}`]);
    if (/^(?:[[O][\d;]*)?$/.test(this.#rest.slice(1))) return false;
    return this.#take(1, "escape");
  }

  #takePaste(): boolean {
    const end = this.#rest.indexOf(PASTE_END);
    if (end === -1) return false;
    const text = this.#rest.slice(PASTE_START.length, end);
    this.#rest = this.#rest.slice(end + PASTE_END.length);
    this.#onKey({ type: "paste", text: text.replace(/\r\n?/g, "\n") });
    return true;
  }

  #take(length: number, name: KeyName | undefined): boolean {
    this.#rest = this.#rest.slice(length);
    if (name !== undefined) this.#onKey({ type: "key", name });
    return true;
  }

  #flush(): void {
    const isEscape = this.#rest === ESCAPE;
    this.#rest = "";
    if (isEscape) this.#onKey({ type: "key", name: "escape" });
  }
}

const ESCAPE = "\u001b";
const ESCAPE_MS = 40;
const PASTE_START = "\u001b[200~";
const PASTE_END = "\u001b[201~";

/** The part of a sequence after the escape. */
const SEQUENCE = /^(?:\[[\d;]*[A-Za-z~]|O[A-Za-z]|[\rbf\u007f])/;
const SEQUENCES: Readonly<Record<string, KeyName>> = {
  "\u001b[A": "up",
  "\u001bOA": "up",
  "\u001b[B": "down",
  "\u001bOB": "down",
  "\u001b[C": "right",
  "\u001bOC": "right",
  "\u001b[D": "left",
  "\u001bOD": "left",
  "\u001b[H": "home",
  "\u001bOH": "home",
  "\u001b[1~": "home",
  "\u001b[F": "end",
  "\u001bOF": "end",
  "\u001b[4~": "end",
  "\u001b[3~": "delete",
  "\u001b[Z": "mode",
  "\u001b\r": "newline",
  "\u001b[1;3C": "word-right",
  "\u001b[1;3D": "word-left",
  "\u001b[1;5C": "word-right",
  "\u001b[1;5D": "word-left",
  "\u001bb": "word-left",
  "\u001bf": "word-right",
  "\u001b\u007f": "kill-word",
};
const CONTROLS: Readonly<Record<string, KeyName>> = {
  "\r": "enter",
  "\n": "newline",
  "\u0001": "home",
  "\u0003": "interrupt",
  "\u0004": "eof",
  "\u0005": "end",
  "\u0008": "backspace",
  "\u007f": "backspace",
  "\u000b": "kill-rest",
  "\u000c": "redraw",
  "\u0015": "kill-line",
  "\u0017": "kill-word",
  "\u001a": "stop",
};
