import { ColouredText } from "./coloured-text.js";
import type { RowColours } from "./diff-colours.js";
import type { DiffRow } from "./parse-diff.js";
import { VisibleText } from "./visible-text.js";

const SIGNS = { add: "+", del: "−" } as const;
const SIGN_WORDS = { add: "added", del: "removed" } as const;

interface RowProps {
  readonly row: DiffRow;
  readonly colours: RowColours;
}

export function InlineRow({ row, colours }: RowProps) {
  if (row.kind === "hunk" || row.kind === "note") return <WideRow row={row} columns={4} />;
  return (
    <tr class={row.kind === "same" ? undefined : row.kind}>
      <td class="ln was">{row.before}</td>
      <td class="ln is">{row.after}</td>
      <Sign row={row} />
      <td class="tx">
        <LineText row={row} colours={colours} />
      </td>
    </tr>
  );
}

export function SplitRow({
  pair: [left, right],
  colours,
}: {
  readonly pair: readonly [DiffRow | undefined, DiffRow | undefined];
  readonly colours: RowColours;
}) {
  if (left !== undefined && left === right && left.kind !== "same") return <WideRow row={left} columns={6} />;
  return (
    <tr>
      <Half row={left} number={left?.before} colours={colours} />
      <Half row={right} number={right?.after} colours={colours} isRight />
    </tr>
  );
}

interface HalfProps {
  readonly row: DiffRow | undefined;
  readonly number: number | undefined;
  readonly colours: RowColours;
  readonly isRight?: boolean;
}

function Half({ row, number, colours, isRight = false }: HalfProps) {
  const mid = isRight ? "mid" : "";
  if (row === undefined) return <td class={`void ${mid}`} colSpan={3} />;
  const kind = row.kind === "same" ? "" : row.kind;
  return (
    <>
      <td class={`ln ${kind} ${mid}`}>{number}</td>
      <Sign row={row} />
      <td class={`tx ${kind}`}>
        <LineText row={row} colours={colours} />
      </td>
    </>
  );
}

function WideRow({ row, columns }: { readonly row: DiffRow; readonly columns: number }) {
  return (
    <tr class="hk">
      <td colSpan={columns}>
        <VisibleText text={row.text} />
      </td>
    </tr>
  );
}

function Sign({ row: { kind } }: { readonly row: DiffRow }) {
  if (kind !== "add" && kind !== "del") return <td class="sg" />;
  return (
    <td class={`sg ${kind}`}>
      <span aria-hidden="true">{SIGNS[kind]}</span>
      <span class="sr">{SIGN_WORDS[kind]}</span>
    </td>
  );
}

function LineText({ row, colours }: RowProps) {
  const { text, changed, kind } = row;
  const part = (start: number, end: number) => (
    <ColouredText text={text} spans={colours.get(row) ?? []} start={start} end={end} />
  );
  if (changed === undefined || changed.start >= changed.end) return part(0, text.length);
  const Mark = kind === "add" ? "ins" : "del";
  return (
    <>
      {part(0, changed.start)}
      <Mark>{part(changed.start, changed.end)}</Mark>
      {part(changed.end, text.length)}
    </>
  );
}
