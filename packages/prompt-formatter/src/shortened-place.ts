import { renderInline } from "@haft/text";

/** Cuts the middle of a long path, with a count, and keeps more of its end, because the file name identifies it. */
export function shortenedPlace(place: string, maxChars: number): string {
  const whole = renderInline(place);
  if (whole.length <= maxChars) return whole;
  const characters = Array.from(place);
  const headChars = Math.floor(maxChars / 4);
  const head = fitting((length) => characters.slice(0, length), headChars);
  const end = fitting((length) => characters.slice(-length), maxChars - headChars);
  const left = characters.length - head.length - end.length;
  return `${renderInline(head.join(""))}…[+${left} chars]…${renderInline(end.join(""))}`;
}

/** Returns the longest part that fits this many characters; an escaped character takes several. */
function fitting(part: (length: number) => readonly string[], maxChars: number): readonly string[] {
  for (let length = maxChars; length > 0; length -= 1)
    if (renderInline(part(length).join("")).length <= maxChars) return part(length);
  return [];
}
