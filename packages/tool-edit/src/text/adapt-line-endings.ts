/**
 * A replacement with the line endings of the place it goes to. The n-th line keeps the ending that
 * the n-th replaced line had; further lines take the ending of the line before them. A replacement
 * that itself says CRLF means it.
 */
export function adaptLineEndings(
  text: string,
  place: { readonly start: number; readonly end: number },
  replacement: string,
): string {
  if (!replacement.includes("\n") || replacement.includes("\r\n") || !text.includes("\r\n"))
    return replacement;
  const replaced = endingsOf(text.slice(place.start, place.end));
  const further = replaced.at(-1) ?? endingBefore(text, place.start) ?? endingAfter(text, place.end) ?? "\n";
  let line = 0;
  return replacement.replace(/\n/g, () => {
    const ending = replaced[line] ?? further;
    line += 1;
    return ending;
  });
}

type Ending = "\n" | "\r\n";

function endingsOf(text: string): readonly Ending[] {
  return (text.match(/\r?\n/g) ?? []) as readonly Ending[];
}

function endingBefore(text: string, offset: number): Ending | undefined {
  const at = offset === 0 ? -1 : text.lastIndexOf("\n", offset - 1);
  return at < 0 ? undefined : endingAt(text, at);
}

function endingAfter(text: string, offset: number): Ending | undefined {
  const at = text.indexOf("\n", offset);
  return at < 0 ? undefined : endingAt(text, at);
}

function endingAt(text: string, lineFeed: number): Ending {
  return text[lineFeed - 1] === "\r" ? "\r\n" : "\n";
}
