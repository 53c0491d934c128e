import { ToolError } from "@haft/core";
import type { Splice } from "@haft/text";

/** The maximum number of places one call changes. */
export const MAX_MATCHES = 100_000;

export const MAX_ADDED_CHARS = 10 * 1024 * 1024;

/** Counts matches during a search, so that it stops as soon as the outcome is known. */
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
    // Later matches may shorten the text, but at most to nothing.
    if (this.#added > MAX_ADDED_CHARS + this.#before) throw growsTooLarge(this.#before, this.#added);
  }
}

function tooManyMatches(path: string): ToolError {
  return new ToolError(
    "LIMIT_EXCEEDED",
    `There are more than ${MAX_MATCHES} matches in ${path}; nothing was changed`,
    {
      hint: "Search for a longer text: a very short one, or a pattern that matches the empty string, matches everywhere.",
      details: { path, maxMatches: MAX_MATCHES },
    },
  );
}

/** `added` may be a lower bound if the search stopped early. */
export function growsTooLarge(before: number, added: number): ToolError {
  return new ToolError(
    "OUTPUT_TOO_LARGE",
    `The file would grow from ${before} to ${before + added} characters or more; nothing was changed`,
    { hint: "Check the search text: a pattern that matches the empty string matches everywhere." },
  );
}
