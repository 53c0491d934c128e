import { ToolError } from "@haft/core";
import { commonEnds, splitLines } from "@haft/text";

/**
 * Throws OMISSION_PLACEHOLDER when a line stands for code that was left out, which writing it would
 * delete. A line that the file has already is meant literally.
 */
export function refusePlaceholders(path: string, content: string, before: string | undefined): void {
  // Most content has no such word, and this is all it costs then. Lines that stay as they are need no look.
  const { start, afterEnd } = commonEnds(before ?? "", content);
  if (!SUSPICIOUS.test(content.slice(start, afterEnd))) return;
  const known = new Set(splitLines(before ?? "").map((line) => line.trim()));
  const found = findPlaceholder(content, { isProse: isProse(path), known });
  if (found === undefined) return;
  throw new ToolError(
    "OMISSION_PLACEHOLDER",
    `Line ${found.line} of content stands for text that was left out: ${JSON.stringify(found.text)}`,
    {
      hint: "Nothing was written. Write the whole content, or change only a part of the file with edit.",
      details: { path, ...found },
    },
  );
}

/** The first line that is a placeholder and not known. */
export function findPlaceholder(
  content: string,
  options: { readonly isProse?: boolean; readonly known?: ReadonlySet<string> } = {},
): { line: number; text: string } | undefined {
  for (const [index, line] of splitLines(content).entries()) {
    const text = line.trim();
    if (text.length > MAX_LINE || options.known?.has(text)) continue;
    if (isPlaceholder(text, options.isProse ?? false)) return { line: index + 1, text };
  }
  return undefined;
}

const MAX_LINE = 120;
const SUSPICIOUS = /rest|remain|existing|unchanged|omitted|other|same|previous|brevity/i;

/** In prose "# Existing code" is a heading and an ellipsis may end a sentence. */
function isProse(path: string): boolean {
  return /\.(md|mdx|markdown|txt|rst|adoc|org|tex|html?)$/i.test(path);
}

function isPlaceholder(line: string, isProseFile: boolean): boolean {
  const { text, isComment } = withoutMarks(line);
  const hasEllipsis = STARTS_WITH_DOTS.test(text) || ENDS_WITH_DOTS.test(text);
  const words = withoutBrackets(text.replace(STARTS_WITH_DOTS, "").replace(ENDS_WITH_DOTS, "").trim());
  if (hasEllipsis && (isComment || STARTS_WITH_DOTS.test(text)))
    return LEFT_OUT.test(words) || KEPT.test(words);
  return isComment && !isProseFile && (BARE.test(words) || KEPT.test(words));
}

// The dots of an omission stand apart from the words, or around them: `...rest` is a spread.
const STARTS_WITH_DOTS = /^(?:\.{3,}|…)\s*(?=\s|$|[([]|[a-z]+ )/i;
const ENDS_WITH_DOTS = /\s*(?:\.{3,}|…)$/;

const PART =
  "(?:code|contents?|file|class|component|function|functions|methods?|implementation|logic|imports?|lines?|body|script|document|module|tests?|fields?|properties|routes?|styles?|rules?|config(?:uration)?|options|items|entries|sections?|definitions?|text)";

/** "rest of the code", "existing methods", "other imports here": what is left out, with an ellipsis beside it. */
const LEFT_OUT = new RegExp(
  `^(?:(?:keep|leave|insert|add|include|and|with|plus)\\s+)?(?:(?:the|all|your|any|my)\\s+)*(?:(?:rest|remainder)(?:\\s+of\\b.*|\\s+(?:is|are|stays?|remains?)\\b.*|\\s+${PART}.*|$)|(?:existing|previous|original|remaining|other|unchanged|same|current)\\s+(?:\\w+\\s+){0,2}${PART}\\b.{0,40})$`,
  "i",
);

/** "rest of the file remains unchanged", "code omitted for brevity": says itself that it stands for something. */
const KEPT = new RegExp(
  `^(?:(?:the|all)\\s+)?(?:(?:rest|remainder)\\s+of\\s+(?:\\w+\\s+){0,3}|(?:existing|remaining|other|previous)?\\s*(?:\\w+\\s+)?${PART}\\s+)(?:(?:is|are|remains?|stays?|stay)\\s+)?(?:unchanged|the same|as (?:before|is)|omitted(?: for brevity)?|same as before)\\b.{0,20}$`,
  "i",
);

/** Without an ellipsis only what nobody writes as a comment of his own. */
const BARE =
  /^(?:(?:the|your)\s+)?(?:existing (?:code|content|implementation|logic)(?: here| goes here| continues)?|rest of (?:the )?(?:existing )?(?:code|file|class|function|implementation)(?: here| goes here| continues)?)$/i;

/** The words of a line without the marks of a comment and the brackets around them. */
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
