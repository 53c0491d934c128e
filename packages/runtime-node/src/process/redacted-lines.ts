import type { Redact } from "@haft/core";

/**
 * Redacts secrets from a stream of bytes, however it is split into chunks: complete lines at a time, a private key as
 * a whole, and a very long line except for its end. Bytes without a secret pass unchanged.
 */
export class RedactedLines {
  readonly #redact: Redact;
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  /** What `early` has returned of the pending bytes. */
  #told = "";

  constructor(redact: Redact) {
    this.#redact = redact;
  }

  get hasPending(): boolean {
    return this.#pendingBytes > 0;
  }

  /** Returns the bytes that are complete now. */
  push(chunk: Buffer): Buffer {
    this.#keep(chunk);
    if (this.#pendingBytes < MAX_PENDING_BYTES && !chunk.includes(LINE_FEED)) return NOTHING;
    const bytes = this.#taken();
    const lines = bytes.subarray(0, bytes.lastIndexOf(LINE_FEED) + 1);
    const keyStart = openKeyStart(lines);
    const end = keyStart === -1 ? lines.length : keyStart;
    if (bytes.length - end >= MAX_PENDING_BYTES) return this.#allButItsEnd(bytes);
    this.#keep(bytes.subarray(end));
    return this.#plain(bytes.subarray(0, end));
  }

  /**
   * Returns the visible part of an incomplete line, such as a prompt: everything except a last word that may
   * continue, since it may be half of a secret. The complete line is checked again, and a secret found then is not
   * shown.
   */
  early(): string {
    const bytes = this.#taken();
    this.#keep(bytes);
    if (openKeyStart(bytes) !== -1) return "";
    const text = this.#redact(bytes.toString("utf8"));
    const shown = text.slice(0, unfinishedWordStart(text));
    const from = commonLength(this.#told, shown);
    if (from === shown.length) return "";
    this.#told = shown;
    return shown.slice(from);
  }

  rest(): Buffer {
    return this.#plain(this.#taken());
  }

  #keep(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#pending.push(bytes);
    this.#pendingBytes += bytes.length;
  }

  #taken(): Buffer {
    const bytes = this.#pending.length === 1 ? (this.#pending[0] as Buffer) : Buffer.concat(this.#pending);
    this.#pending = [];
    this.#pendingBytes = 0;
    return bytes;
  }

  /** Keeps the end, already redacted, so that a secret that is split here is still recognized. */
  #allButItsEnd(bytes: Buffer): Buffer {
    const done = this.#plain(bytes);
    const end = Math.max(0, done.length - OVERLAP_BYTES);
    this.#keep(done.subarray(end));
    return done.subarray(0, end);
  }

  /** Removes secrets, and bytes returned before. */
  #plain(bytes: Buffer): Buffer {
    if (bytes.length === 0) return NOTHING;
    const text = bytes.toString("utf8");
    const redacted = this.#redact(text);
    if (this.#told === "") return redacted === text ? bytes : Buffer.from(redacted);
    const from = commonLength(this.#told, redacted);
    this.#told = "";
    return Buffer.from(redacted.slice(from));
  }
}

const NOTHING = Buffer.alloc(0);
const LINE_FEED = 10;
const MAX_PENDING_BYTES = 64 * 1024;
/** Longer than any single-line secret. */
const OVERLAP_BYTES = 8 * 1024;

/** Returns the start of a private key without an end, or -1. */
function openKeyStart(bytes: Buffer): number {
  if (!bytes.includes("PRIVATE KEY-----")) return -1;
  return bytes.toString("latin1").search(OPEN_KEY);
}

// Bounded like the shape of a key.
const OPEN_KEY = /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[^-]{0,16384}$/;

function commonLength(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one.charCodeAt(at) === other.charCodeAt(at)) at += 1;
  return at;
}

/** Returns the start of an unfinished last word, or the length of the text. */
function unfinishedWordStart(text: string): number {
  made.inWord ??= new RegExp(IN_WORD, "u");
  let start = text.length;
  while (start > 0 && made.inWord.test(text.charAt(start - 1))) start -= 1;
  return start;
}

// The characters of keys and tokens, surrogate halves, and the replacement for an incomplete character.
const IN_WORD = String.raw`[\p{L}\p{N}\p{Cs}_+/=~\ufffd-]`;
// Made on first use: V8 expands the properties of a literal whenever it reads this file.
const made: { inWord?: RegExp } = {};
