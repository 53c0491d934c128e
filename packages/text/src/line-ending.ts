export type LineEnding = "lf" | "crlf";

/**
 * "cr" means that lone carriage returns are the only line breaks (classic Mac OS). Next to "\n" or "\r\n" they are
 * text, so they never make a file "mixed".
 */
export function detectLineEnding(text: string): LineEnding | "cr" | "mixed" | "none" {
  // Nearly every text: one look instead of one for each line.
  if (!text.includes("\r")) return text.includes("\n") ? "lf" : "none";
  const { lf, crlf } = countEndings(text);
  if (lf > 0 && crlf > 0) return "mixed";
  if (crlf > 0) return "crlf";
  return lf > 0 ? "lf" : "cr";
}

/** Returns the most common ending; on a tie, the one that occurs first. */
export function dominantLineEnding(text: string): LineEnding | undefined {
  if (!text.includes("\r")) return text.includes("\n") ? "lf" : undefined;
  const { lf, crlf } = countEndings(text);
  if (lf === 0 && crlf === 0) return undefined;
  if (lf !== crlf) return lf > crlf ? "lf" : "crlf";
  return text.charCodeAt(text.indexOf("\n") - 1) === 13 ? "crlf" : "lf";
}

/**
 * Converts every line ending. Several "\r" before one "\n", left by a double conversion, count as one ending.
 * Otherwise "\r\r\n" would become "\r\n" and then "\n", and the conversion would not be idempotent.
 */
export function withLineEnding(text: string, ending: LineEnding): string {
  return text.replace(anyEnding, ending === "crlf" ? "\r\n" : "\n");
}

// The look-behind starts a match only at the first "\r" of a run, which keeps long runs linear.
const anyEnding = /(?<!\r)\r*\n/g;

function countEndings(text: string): { lf: number; crlf: number } {
  let lf = 0;
  let crlf = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) {
    if (at > 0 && text.charCodeAt(at - 1) === 13) crlf++;
    else lf++;
  }
  return { lf, crlf };
}
