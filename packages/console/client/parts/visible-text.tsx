import { splitHidden } from "@haft/text/display";
import type { JSX } from "preact";

/**
 * Renders untrusted text. Shows invisible and direction-changing characters as marks, unless ordinary writing needs
 * them.
 */
export function VisibleText({ text }: { readonly text: string }): JSX.Element {
  if (PLAIN.test(text)) return <>{text}</>;
  return (
    <>
      {splitHidden(text).map((run, index) =>
        run.isHidden ? (
          <span class="hidden-char" key={index}>
            {[...run.text].map(nameOf).join(" ")}
          </span>
        ) : (
          run.text
        ),
      )}
    </>
  );
}

/** The same for places that take no elements: titles, labels and questions of the browser. */
export function shownText(text: string): string {
  if (PLAIN.test(text)) return text;
  const parts = splitHidden(text).map((run) =>
    run.isHidden ? `⟨${[...run.text].map(nameOf).join(" ")}⟩` : run.text,
  );
  return parts.join("");
}

/** Most texts, told without looking up categories. */
const PLAIN = /^[\n\t\x20-\x7e]*$/;

function nameOf(char: string): string {
  return `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}
