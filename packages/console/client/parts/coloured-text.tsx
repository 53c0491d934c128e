import type { ColouredSpan } from "../files/syntax.js";
import { VisibleText } from "./visible-text.js";

interface ColouredTextProps {
  readonly text: string;
  readonly spans: readonly ColouredSpan[];
  readonly start?: number;
  readonly end?: number;
}

/** Renders a line or a part of it. Spans are in order and do not overlap. */
export function ColouredText({ text, spans, start = 0, end = text.length }: ColouredTextProps) {
  const parts = [];
  let at = start;
  for (const span of spans) {
    const [from, to] = [Math.max(span.start, at), Math.min(span.end, end)];
    if (from >= to) continue;
    if (from > at) parts.push(<VisibleText text={text.slice(at, from)} />);
    parts.push(
      <span class={span.class}>
        <VisibleText text={text.slice(from, to)} />
      </span>,
    );
    at = to;
  }
  if (at < end) parts.push(<VisibleText text={text.slice(at, end)} />);
  return <>{parts}</>;
}
