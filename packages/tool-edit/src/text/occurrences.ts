/** Where `wanted` starts in a text, not overlapping; the search ends after `max`. */
export function occurrences(text: string, wanted: string, max: number): readonly number[] {
  const starts: number[] = [];
  if (wanted === "") return starts;
  let at = text.indexOf(wanted);
  while (at >= 0 && starts.length < max) {
    starts.push(at);
    at = text.indexOf(wanted, at + wanted.length);
  }
  return starts;
}
