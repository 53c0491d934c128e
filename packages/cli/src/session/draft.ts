import { renderForHuman, wrapColumns } from "@haft/text";
import type { Colours } from "../output/colours.js";
import type { Key, KeyName } from "./key-reader.js";

/** The message being written, and the history of sent messages. */
export class Draft {
  #before: string[] = [];
  #after: string[] = [];
  readonly #sent: string[] = [];
  #at = 0;
  /** The draft from before the user moved through the history. */
  #unsent = "";

  get text(): string {
    return [...this.#before, ...this.#after].join("");
  }

  /** Returns false for keys that do not edit. */
  edit(key: Key): boolean {
    if (key.type !== "key") {
      this.#before.push(...charactersOf(key.text));
      return true;
    }
    const work = this.#keys[key.name];
    work?.();
    return work !== undefined;
  }

  /** Returns the message and starts a new one. */
  take(): string {
    const { text } = this;
    if (text.trim() !== "" && text !== this.#sent.at(-1)) this.#sent.push(text);
    this.#at = this.#sent.length;
    this.clear();
    return text;
  }

  /** Adds an earlier message to the history. */
  remember(text: string): void {
    this.#sent.push(text);
    this.#at = this.#sent.length;
  }

  clear(): void {
    this.#before = [];
    this.#after = [];
  }

  /**
   * Returns the rows around the cursor. The cursor is drawn unless it is at the end, where the terminal shows its own.
   */
  rows(columns: number, { inverse }: Colours): readonly string[] {
    const rows = renderForHuman(this.text)
      .split("\n")
      .map((line) => wrapColumns(line, columns - 3));
    const cursor = this.#after.length === 0 ? undefined : this.#cursorIn(rows);
    const all = rows.flat().map((row, index) => {
      if (cursor?.row !== index) return row;
      const [under = " "] = charactersOf(row.slice(cursor.at));
      return `${row.slice(0, cursor.at)}${inverse(under)}${row.slice(cursor.at + under.length)}`;
    });
    const top = Math.max(0, Math.min(cursor?.row ?? all.length, all.length - MAX_ROWS));
    const sign = (index: number) => (index > 0 ? " " : top === 0 ? "›" : "⋮");
    return all.slice(top, top + MAX_ROWS).map((row, index) => `${sign(index)} ${row}`);
  }

  /** Finds the cursor among the wrapped rows. */
  #cursorIn(rows: readonly (readonly string[])[]): { readonly row: number; readonly at: number } {
    const before = renderForHuman(this.#before.join("")).split("\n");
    const line = rows[before.length - 1] ?? [""];
    let at = before.at(-1)?.length ?? 0;
    let row = 0;
    for (; row < line.length - 1 && at >= (line[row]?.length ?? 0); row += 1) at -= line[row]?.length ?? 0;
    return { row: rows.slice(0, before.length - 1).flat().length + row, at };
  }

  readonly #keys: Partial<Record<KeyName, () => void>> = {
    newline: () => this.#before.push("\n"),
    backspace: () => this.#before.pop(),
    delete: () => this.#after.shift(),
    left: () => this.#after.unshift(...this.#before.splice(-1)),
    right: () => this.#before.push(...this.#after.splice(0, 1)),
    home: () => this.#after.unshift(...this.#before.splice(0)),
    end: () => this.#before.push(...this.#after.splice(0)),
    "word-left": () => this.#after.unshift(...this.#before.splice(wordStart(this.#before))),
    "word-right": () => this.#before.push(...this.#after.splice(0, wordEnd(this.#after))),
    up: () => this.#lineUp() || this.#recall(-1),
    down: () => this.#lineDown() || this.#recall(1),
    "kill-line": () => this.clear(),
    "kill-rest": () => this.#after.splice(0),
    "kill-word": () => this.#before.splice(wordStart(this.#before)),
  };

  /** Returns false on the first line. */
  #lineUp(): boolean {
    const start = this.#before.lastIndexOf("\n");
    if (start === -1) return false;
    const column = this.#before.length - start - 1;
    const former = this.#before.lastIndexOf("\n", start - 1);
    const target = Math.min(start, (start === 0 ? -1 : former) + 1 + column);
    this.#after.unshift(...this.#before.splice(target));
    return true;
  }

  /** Returns false on the last line. */
  #lineDown(): boolean {
    const end = this.#after.indexOf("\n");
    if (end === -1) return false;
    const column = this.#before.length - this.#before.lastIndexOf("\n") - 1;
    const next = this.#after.indexOf("\n", end + 1);
    const target = Math.min(next === -1 ? this.#after.length : next, end + 1 + column);
    this.#before.push(...this.#after.splice(0, target));
    return true;
  }

  #recall(by: number): void {
    if (this.#at === this.#sent.length) this.#unsent = this.text;
    this.#at = Math.min(this.#sent.length, Math.max(0, this.#at + by));
    this.clear();
    this.#before = charactersOf(this.#sent[this.#at] ?? this.#unsent);
  }
}

function wordStart(before: readonly string[]): number {
  return charactersOf(before.join("").replace(/\S+\s*$|\s+$/, "")).length;
}

function wordEnd(after: readonly string[]): number {
  return charactersOf(/^\s*\S+|^\s+/.exec(after.join(""))?.[0] ?? "").length;
}

/** One user-perceived character, such as an emoji with a skin tone. */
function charactersOf(text: string): string[] {
  return Array.from(characters.segment(text), ({ segment }) => segment);
}

const characters = new Intl.Segmenter();
const MAX_ROWS = 6;
