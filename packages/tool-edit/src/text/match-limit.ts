import { ToolError } from "@haft/core";
import type { Splice } from "@haft/text";

/** More places than this are not changed in one call. */
export const MAX_MATCHES = 100_000;

export const MAX_ADDED_CHARS = 10 * 1024 * 1024;

/** Counts matches while they are found, so that a search ends as soon as its outcome is known. */
export class MatchLimit {
  readonly #before: number;
  readonly #path: string;
  #matches = 0;
  #added = 0;

  constructor({ path, text }: { readonly path: string; readonly text: string }) {
    this.#path = path;
    this.#before = text.length;
  }

  get addedChars(): number {
    return this.#added;
  }

  count({ start, end, replacement }: Splice): void {
    this.#matches += 1;
    this.#added += replacement.length - (end - start);
    if (this.#matches > MAX_MATCHES) throw tooManyMatches(this.#path);
    // Later matches may shorten the text, but by no more than there is of it.
    if (this.#added > MAX_ADDED_CHARS + this.#before) throw growsTooLarge(this.#before, this.#added);
  }
}

export function tooManyMatches(path: string): ToolError {
  return new ToolError(
    "LIMIT_EXCEEDED",
    `There are more than ${MAX_MATCHES} matches in ${path}; nothing was changed`,
    {
      hint: "Look for a longer text: a very short one, or a pattern that matches the empty text, is everywhere.",
      details: { path, maxMatches: MAX_MATCHES },
    },
  );
}

/** `added` may be a lower bound when the search was ended early. */
export function growsTooLarge(before: number, added: number): ToolError {
  return new ToolError(
    "OUTPUT_TOO_LARGE",
    `The file would grow from ${before} to ${before + added} characters or more; nothing was changed`,
    { hint: "Check what is looked for: a pattern that matches the empty text matches everywhere." },
  );
}
