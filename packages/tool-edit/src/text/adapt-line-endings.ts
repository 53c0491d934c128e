/** A range to replace. */
interface Place {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

/** Gives a replacement the line endings of its place. */
export type AdaptLineEndings = (place: Place, replacement: string) => string;

/**
 * Returns a function that gives replacements the line endings of the text. The n-th line keeps the ending of the n-th
 * replaced line; further lines take the ending of the line before them. A text without line endings leaves the
 * replacement unchanged. Inspects the whole text only once for all locations.
 */
export function lineEndingAdapter(text: string): AdaptLineEndings {
  let style: "none" | "lf" | "has-crlf" | undefined;
  const endingNear = endingFinder(text);
  return (place, replacement) => {
    if (!replacement.includes("\n")) return replacement;
    style ??= text.includes("\r\n") ? "has-crlf" : text.includes("\n") ? "lf" : "none";
    if (style === "none") return replacement;
    const lineFeeds = replacement.includes("\r\n") ? replacement.replaceAll("\r\n", "\n") : replacement;
    if (style === "lf") return lineFeeds;
    const replaced = endingsOf(text.slice(place.start, place.end));
    const further = replaced.at(-1) ?? endingNear(place);
    let line = 0;
    return lineFeeds.replace(/\n/g, () => {
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

/**
 * Returns the ending of the line before a location within one line, otherwise its own. Many locations in one long line
 * cost one lookup.
 */
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
