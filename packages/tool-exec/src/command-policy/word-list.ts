/** Splits lines into words, so that long tables stay readable. */
export function wordList(...lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => line.split(" "));
}
