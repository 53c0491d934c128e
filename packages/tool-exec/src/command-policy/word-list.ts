/** A list of words written as prose, so that long tables stay readable. */
export function wordList(...lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => line.split(" "));
}
