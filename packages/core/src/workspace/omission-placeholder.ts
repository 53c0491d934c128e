import { splitLines } from "@haft/text";

/** Quickly rules out texts that cannot contain a placeholder; most texts need no further check. */
export function mayHoldPlaceholder(text: string): boolean {
  return SUSPICIOUS.test(text);
}

export interface Placeholder {
  readonly line: number;
  readonly text: string;
  /** The text without comment markers. */
  readonly words: string;
}

/** Returns the first placeholder line that is not among the known lines. */
export function findPlaceholder(
  content: string,
  { path = "", known, losesLines = false }: PlaceholderSearch = {},
): Placeholder | undefined {
  const isProseFile = isProse(path);
  for (const [index, line] of splitLines(content).entries()) {
    const text = line.trim();
    if (text.length > MAX_LINE || known?.has(text)) continue;
    if (isPlaceholder(text, isProseFile) || (losesLines && !isDocument(path) && BARE_DOTS.test(text)))
      return { line: index + 1, text, words: withoutMarks(text).text };
  }
  return undefined;
}

interface PlaceholderSearch {
  readonly path?: string | undefined;
  /** Lines that existed before, trimmed. */
  readonly known?: ReadonlySet<string> | undefined;
  /** The change removes lines, so a comment of only dots counts as a placeholder for them. */
  readonly losesLines?: boolean | undefined;
}

/** A longer line is never a placeholder. */
export const MAX_LINE = 120;
const SUSPICIOUS = /rest|remain|existing|unchanged|omitted|other|same|previous|brevity|snip|\.{3}|…/i;

/** In prose "# Existing code" is a heading and an ellipsis may end a sentence. */
function isProse(path: string): boolean {
  return /\.(md|mdx|markdown|txt|rst|adoc|org|tex|html?)$/i.test(path);
}

/** Dots are common in documents, but comments of dots are not common in HTML. */
function isDocument(path: string): boolean {
  return isProse(path) && !/\.html?$/i.test(path);
}

// Excludes `* ...`, which truncates examples in doc comments.
const BARE_DOTS =
  /^(?:(?:\/\/+|#+|--+|;+|%+)\s*(?:\.{3,}|…)|\{?\/\*+\s*(?:\.{3,}|…)\s*\*+\/\}?|<!--\s*(?:\.{3,}|…)\s*-->)$/;

function isPlaceholder(line: string, isProseFile: boolean): boolean {
  const { text, isComment } = withoutMarks(line);
  const hasEllipsis = STARTS_WITH_DOTS.test(text) || ENDS_WITH_DOTS.test(text);
  const words = withoutBrackets(text.replace(STARTS_WITH_DOTS, "").replace(ENDS_WITH_DOTS, "").trim());
  if (hasEllipsis && (isComment || STARTS_WITH_DOTS.test(text)))
    return LEFT_OUT.test(words) || KEPT.test(words) || (isComment && SAME.test(words));
  return isComment && !isProseFile && (BARE.test(words) || KEPT.test(words));
}

// The dots of an omission are separated from the words or surround them: `...rest` is a spread.
const STARTS_WITH_DOTS = /^(?:\.{3,}|…)\s*(?=\s|$|[([]|[a-z]+ )/i;
const ENDS_WITH_DOTS = /\s*(?:\.{3,}|…)$/;

const PART =
  "(?:code|contents?|file|class|component|function|functions|methods?|implementation|logic|imports?|lines?|body|script|document|module|tests?|fields?|properties|routes?|styles?|rules?|config(?:uration)?|options|items|entries|sections?|definitions?|text)";

/** "rest of the code", "existing methods", "other imports here": names the omitted part next to an ellipsis. */
const LEFT_OUT = new RegExp(
  `^(?:(?:keep|leave|insert|add|include|and|with|plus)\\s+)?(?:(?:the|all|your|any|my)\\s+)*(?:(?:rest|remainder)(?:\\s+of\\b.*|\\s+(?:unchanged|unmodified|omitted|the same|as (?:before|is))\\b.*|\\s+(?:is|are|stays?|remains?)\\b.*|\\s+${PART}.*|$)|(?:existing|previous|original|remaining|other|unchanged|same|current)\\s+(?:\\w+\\s+){0,2}${PART}\\b.{0,40})$`,
  "i",
);

/** "rest of the file remains unchanged", "code omitted for brevity": states the omission itself. */
const KEPT = new RegExp(
  `^(?:(?:the|all)\\s+)?(?:(?:rest|remainder)\\s+of\\s+(?:\\w+\\s+){0,3}|(?:existing|remaining|other|previous)?\\s*(?:\\w+\\s+)?${PART}\\s+)(?:(?:is|are|remains?|stays?|stay)\\s+)?(?:unchanged|the same|as (?:before|is)|omitted(?: for brevity)?|same as before)\\b.{0,20}$`,
  "i",
);

/** "... (unchanged)", "... snip ...": one word that explains the dots. */
const SAME =
  /^(?:unchanged|unmodified|existing|no changes?|same(?: as (?:before|above))?|as (?:before|is)|omitted|snip(?:ped)?|truncated|etc)\.?$/i;

/** Without an ellipsis, only phrases that never occur in genuine comments. */
const BARE =
  /^(?:(?:the|your)\s+)?(?:existing (?:code|content|implementation|logic)(?: here| goes here| continues)?|(?:previous|original|remaining|other) (?:code|content|implementation|logic) (?:goes |stays )?here|rest of (?:the )?(?:existing )?(?:code|file|class|function|implementation)(?: here| goes here| continues)?)$/i;

/** Returns the words of a line without comment markers and surrounding brackets. */
function withoutMarks(line: string): { text: string; isComment: boolean } {
  const comment = COMMENT.exec(line);
  const inner = (comment?.[1] ?? comment?.[2] ?? comment?.[3] ?? line).trim();
  const text = withoutBrackets(inner);
  return { text, isComment: comment !== null || text !== inner };
}

function withoutBrackets(text: string): string {
  return (/^[([{<](.*)[)\]}>]$/.exec(text)?.[1] ?? text).trim();
}

const COMMENT = /^(?:\{?\/\*+\s*(.*?)\s*\*+\/\}?|<!--\s*(.*?)\s*-->|(?:\/\/+|#+|--+|;+|%+|\*)\s*(.*))$/;
