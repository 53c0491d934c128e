import type { CliIo } from "../cli-io.js";
import type { Colours } from "../output/colours.js";
import { Draft } from "./draft.js";
import { type Key, type KeyName, KeyReader } from "./key-reader.js";

export interface ComposerParts {
  readonly io: CliIo;
  /** Called with a message; empty if only Enter was pressed. */
  send(text: string): void;
  /** Called for keys that do not edit the message: escape, interrupt, eof, mode. */
  press(key: KeyName): void;
  changed(): void;
}

/** Reads the user's input at any time, also while the model works. Releases the terminal while suspended. */
export class Composer {
  readonly #parts: ComposerParts;
  readonly #draft = new Draft();
  readonly #keys = new KeyReader((key) => this.#onKey(key));
  readonly #onData = (bytes: Buffer) => this.#keys.push(bytes);
  #isReading = false;

  constructor(parts: ComposerParts) {
    this.#parts = parts;
  }

  resume(): void {
    if (this.#isReading) return;
    this.#isReading = true;
    const { stdin, stderr } = this.#parts.io;
    (stdin as Partial<NodeJS.ReadStream>).setRawMode?.(true);
    stderr.write(PASTE_ON);
    stdin.on("data", this.#onData);
    stdin.resume();
  }

  suspend(): void {
    if (!this.#isReading) return;
    this.#isReading = false;
    const { stdin, stderr } = this.#parts.io;
    stdin.off("data", this.#onData);
    stdin.pause();
    stderr.write(PASTE_OFF);
    (stdin as Partial<NodeJS.ReadStream>).setRawMode?.(false);
  }

  rows(columns: number, colours: Colours): readonly string[] {
    return this.#draft.rows(columns, colours);
  }

  get isEmpty(): boolean {
    return this.#draft.text === "";
  }

  /** Adds an earlier message to the history. */
  remember(text: string): void {
    this.#draft.remember(text);
  }

  clear(): void {
    this.#draft.clear();
    this.#parts.changed();
  }

  #onKey(key: Key): void {
    if (key.type === "key" && key.name === "enter") this.#parts.send(this.#draft.take());
    else if (!this.#draft.edit(key) && key.type === "key") this.#parts.press(key.name);
    this.#parts.changed();
  }
}

/** Bracketed paste mode: line breaks in pasted text do not send the message. */
const PASTE_ON = "\u001b[?2004h";
export const PASTE_OFF = "\u001b[?2004l";
