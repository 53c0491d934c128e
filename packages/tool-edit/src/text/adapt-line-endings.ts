/** A place in a text that something else goes to. */
interface Place {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

/** Gives a replacement the line endings of the place it goes to. */
export type AdaptLineEndings = (place: Place, replacement: string) => string;

/**
 * A replacement with the line endings of the place it goes to. The n-th line keeps the ending that
 * the n-th replaced line had; further lines take the ending of the line before them. A replacement
 * that itself says CRLF means it. What is asked of the whole text is asked once for all places.
 */
export function lineEndingAdapter(text: string): AdaptLineEndings {
  let hasCrlf: boolean | undefined;
  const endingNear = endingFinder(text);
  return (place, replacement) => {
    if (!replacement.includes("\n") || replacement.includes("\r\n")) return replacement;
    hasCrlf ??= text.includes("\r\n");
    if (!hasCrlf) return replacement;
    const replaced = endingsOf(text.slice(place.start, place.end));
    const further = replaced.at(-1) ?? endingNear(place);
    let line = 0;
    return replacement.replace(/\n/g, () => {
      const ending = replaced[line] ?? further;
      line += 1;
      return ending;
    });
  };
}

type Ending = "\n" | "\r\n";

function endingsOf(text: string): readonly Ending[] {
  return (text.match(/\r?\n/g) ?? []) as readonly Ending[];
}

/** The ending of the line before a place within one line, else of its own. Many places in one long line cost one look. */
function endingFinder(text: string): (place: Place) => Ending {
  let line = { before: 0, after: -1, ending: "\n" as Ending };
  return ({ start }) => {
    if (start > line.before && start <= line.after) return line.ending;
    const before = start === 0 ? -1 : text.lastIndexOf("\n", start - 1);
    const found = text.indexOf("\n", start);
    const after = found < 0 ? text.length : found;
    const lineFeed = before >= 0 ? before : found;
    line = { before, after, ending: lineFeed < 0 ? "\n" : endingAt(text, lineFeed) };
    return line.ending;
  };
}

function endingAt(text: string, lineFeed: number): Ending {
  return text[lineFeed - 1] === "\r" ? "\r\n" : "\n";
}
