import { cutBefore } from "@haft/text";
import type { FileMatches, FoundLine } from "../engine/search/search-outcome.js";
import type { GrepMatch } from "./grep-schema.js";

/** Longer lines are truncated; a page of them would be unreadable. */
export const VALUE_CHARS = 20_000;

/** Returns the matches of one file, each with its context lines. */
export function matchesOf({ path, lines }: FileMatches, absolutePath: string): readonly GrepMatch[] {
  const matches: GrepMatch[] = [];
  let pending: FoundLine[] = [];
  for (const found of lines) {
    if (!found.match) {
      pending.push(found);
      continue;
    }
    const before = takeBefore(pending, found.line, matches.at(-1));
    pending = [];
    matches.push({
      path,
      absolutePath,
      line: found.line,
      ...endLineOf(found),
      column: found.match.start + 1,
      ...cutAround(found.text, found.match.start),
      before,
      after: [],
    });
  }
  const last = matches.at(-1);
  if (last) last.after.push(...pending.map(({ text }) => cut(text)));
  return matches;
}

/** Only a multi-line match ends in another line. */
function endLineOf({ line, text }: FoundLine): Pick<GrepMatch, "endLine"> {
  let endLine = line;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) endLine++;
  return endLine === line ? {} : { endLine };
}

/** Splits the context between two matches: lines that directly follow the first go to it, the rest to the second. */
function takeBefore(pending: readonly FoundLine[], line: number, previous: GrepMatch | undefined): string[] {
  let from = pending.length;
  while (from > 0 && pending[from - 1]?.line === line - (pending.length - from) - 1) from--;
  if (previous) {
    let next = (previous.endLine ?? previous.line) + 1;
    let taken = 0;
    while (pending[taken]?.line === next) {
      taken++;
      next++;
    }
    // Without a gap, everything goes to the first, unless it asked for no lines after.
    previous.after.push(...pending.slice(0, taken).map(({ text }) => cut(text)));
    from = Math.max(from, taken);
  }
  return pending.slice(from).map(({ text }) => cut(text));
}

/** Returns the part around the match of a text that is too long to return. */
function cutAround(text: string, at: number): Pick<GrepMatch, "text" | "cut"> {
  if (text.length <= VALUE_CHARS) return { text };
  const wanted = Math.max(0, Math.min(at - VALUE_CHARS / 2, text.length - VALUE_CHARS));
  const before = cutBefore(text, wanted);
  const kept = cut(text.slice(before));
  return { text: kept, cut: { before, after: text.length - before - kept.length } };
}

function cut(text: string): string {
  return text.length <= VALUE_CHARS ? text : text.slice(0, cutBefore(text, VALUE_CHARS));
}
