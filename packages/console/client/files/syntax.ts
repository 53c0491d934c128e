import { css } from "@codemirror/lang-css";
import { html } from "@codemirror/lang-html";
import { javascript } from "@codemirror/lang-javascript";
import { json } from "@codemirror/lang-json";
import { markdown } from "@codemirror/lang-markdown";
import { python } from "@codemirror/lang-python";
import type { LanguageSupport } from "@codemirror/language";
import { highlightTree, tagHighlighter, tags } from "@lezer/highlight";

/** Returns the language of a file by its extension; undefined without a grammar for it. */
export function languageOf(path: string): LanguageSupport | undefined {
  const ending = path.split(".").at(-1)?.toLowerCase() ?? "";
  if (/^[cm]?[jt]sx?$/.test(ending))
    return javascript({ typescript: ending.includes("t"), jsx: ending.endsWith("x") });
  return LANGUAGES.get(ending)?.();
}

const LANGUAGES: ReadonlyMap<string, () => LanguageSupport> = new Map([
  ["json", json],
  ["md", () => markdown()],
  ["css", css],
  ["html", () => html()],
  ["py", python],
]);

/** The classes that the style sheet colours, in editors and in diffs. */
export const SYNTAX_CLASSES = tagHighlighter([
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier], class: "syn-keyword" },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], class: "syn-string" },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], class: "syn-number" },
  { tag: [tags.function(tags.variableName), tags.function(tags.propertyName)], class: "syn-fn" },
  { tag: [tags.typeName, tags.className, tags.tagName], class: "syn-type" },
  { tag: tags.heading, class: "syn-type syn-heading" },
  { tag: [tags.comment, tags.meta], class: "syn-comment" },
]);

/** A coloured part of a line. */
export interface ColouredSpan {
  readonly start: number;
  readonly end: number;
  readonly class: string;
}

/** Highlights consecutive lines. Returns the spans of each line, in order. */
export function colouredLines(path: string, lines: readonly string[]): readonly (readonly ColouredSpan[])[] {
  const spans: ColouredSpan[][] = lines.map(() => []);
  const language = languageOf(path)?.language;
  if (language === undefined) return spans;
  let line = 0;
  let lineStart = 0;
  highlightTree(language.parser.parse(lines.join("\n")), SYNTAX_CLASSES, (from, to, name) => {
    // A span may cover several lines: a comment, or a template.
    for (let at = from; at < to; ) {
      while (lineStart + (lines[line]?.length ?? 0) < at) lineStart += (lines[line++]?.length ?? 0) + 1;
      const lineEnd = lineStart + (lines[line]?.length ?? 0);
      const end = Math.min(to, lineEnd);
      if (end > at) spans[line]?.push({ start: at - lineStart, end: end - lineStart, class: name });
      at = Math.max(end, lineEnd + 1);
    }
  });
  return spans;
}
