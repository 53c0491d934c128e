/** A pattern that cannot be run: what is wrong, where (in UTF-16 units from 0), and what to write instead. */
export class PatternError extends Error {
  override readonly name = "PatternError";

  constructor(
    readonly construct: string,
    readonly position: number,
    readonly hint: string,
  ) {
    super(`${construct} at position ${position}`);
  }
}
