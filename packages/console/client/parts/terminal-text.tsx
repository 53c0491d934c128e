import { useMemo } from "preact/hooks";
import { spansOf } from "./terminal-spans.js";
import { PLAIN, type TerminalStyle } from "./terminal-style.js";
import { VisibleText } from "./visible-text.js";

/** Renders program output with its colours. Drops every other escape sequence. */
export function TerminalText({ text }: { readonly text: string }) {
  const spans = useMemo(() => spansOf(text), [text]);
  return (
    <>
      {spans.map(({ style, text: part }, index) =>
        style === PLAIN ? (
          <VisibleText key={index} text={part} />
        ) : (
          <span key={index} class={classOf(style)} style={coloursOf(style)}>
            <VisibleText text={part} />
          </span>
        ),
      )}
    </>
  );
}

/** The style sheet keeps text readable on the theme's background, and chooses black or white on a coloured one. */
function classOf({ flags, ink, paper }: TerminalStyle): string {
  const isSwapped = flags.has("inverse");
  const colours = paper !== undefined || isSwapped ? "t-paper" : ink !== undefined ? "t-ink" : "";
  return [colours, ...[...flags].map((flag) => `t-${flag}`)].filter(Boolean).join(" ");
}

function coloursOf({ flags, ink, paper }: TerminalStyle): Readonly<Record<string, string>> {
  const back = flags.has("inverse") ? (ink ?? "var(--ink)") : paper;
  if (back !== undefined) return { "--back": back };
  return ink === undefined ? {} : { "--front": ink };
}
