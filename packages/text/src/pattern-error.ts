/** Thrown for an invalid pattern: what is wrong, where (UTF-16 offset from 0), and what to write instead. */
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

/** Whether a pattern was rejected for its size. Such a pattern was not meant as plain text. */
export function exceedsLimit({ construct }: PatternError): boolean {
  return /\btoo (large|long|many|deeply)\b/.test(construct);
}
