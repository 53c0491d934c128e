import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { useRowColours } from "./diff-colours.js";
import { InlineRow, SplitRow } from "./diff-rows.js";
import { type DiffRow, parseDiff, sideBySide } from "./parse-diff.js";
import { VisibleText } from "./visible-text.js";

/** Longer diffs are folded until the reader unfolds them. */
export const FOLD_ROWS = 1_500;

/** Whether a long diff is fully shown, controlled by the caller. */
export interface Folding {
  readonly isWhole: boolean;
  unfold(): void;
}

export interface DiffTableProps {
  readonly diff: string;
  readonly path: string;
  readonly isSplit?: boolean;
  readonly folding?: Folding | undefined;
}

/** Renders a unified diff as a table. Every line can be shown; none is truncated. */
export function DiffTable({ diff, path, isSplit = false, folding }: DiffTableProps) {
  const isUnfolded = useSignal(false);
  const rows = useMemo(() => parseDiff(diff), [diff]);
  const isWhole = folding?.isWhole ?? isUnfolded.value;
  const unfold = () => {
    isUnfolded.value = true;
    folding?.unfold();
  };
  const shown = isWhole ? rows : rows.slice(0, FOLD_ROWS);
  if (rows.length === 0 || (rows.length === 1 && rows[0]?.text === ""))
    return <p class="card-note">No change in content.</p>;
  return (
    <>
      {chunksOf(shown).map((chunk, index) => (
        <Chunk key={index} rows={chunk} path={path} isSplit={isSplit} isFirst={index === 0} />
      ))}
      {shown.length < rows.length && (
        <button type="button" class="btn quiet show-all" onClick={unfold}>
          Show all {rows.length.toLocaleString()} lines
        </button>
      )}
    </>
  );
}

interface ChunkProps {
  readonly rows: readonly DiffRow[];
  readonly path: string;
  readonly isSplit: boolean;
  readonly isFirst: boolean;
}

/** A part of a long diff has rows only while it is near the screen, so any length scrolls. */
function Chunk({ rows, path, isSplit, isFirst }: ChunkProps) {
  const place = useRef<HTMLDivElement>(null);
  const isNear = useSignal(isFirst);
  const height = useSignal(rows.length * ROW_HEIGHT);
  useEffect(() => {
    const box = place.current;
    if (box === null || isFirst) return undefined;
    const watcher = new IntersectionObserver(
      (entries) => {
        const entry = entries.at(-1);
        if (entry === undefined) return;
        if (!entry.isIntersecting && isNear.peek()) height.value = entry.boundingClientRect.height;
        isNear.value = entry.isIntersecting;
      },
      { rootMargin: "1200px" },
    );
    watcher.observe(box);
    return () => watcher.disconnect();
  }, []);
  return (
    <div class="diff-frame" ref={place} style={isNear.value ? undefined : { height: `${height.value}px` }}>
      {isNear.value && <Rows rows={rows} path={path} isSplit={isSplit} />}
    </div>
  );
}

function Rows({ rows, path, isSplit }: Omit<ChunkProps, "isFirst">) {
  const colours = useRowColours(rows, path);
  return (
    <table class={`diff ${isSplit ? "split" : ""}`}>
      <caption class="sr">
        Changes to <VisibleText text={path} />
      </caption>
      {isSplit && (
        <colgroup>
          <col class="col-ln" />
          <col class="col-sg" />
          <col />
          <col class="col-ln" />
          <col class="col-sg" />
          <col />
        </colgroup>
      )}
      <tbody>
        {isSplit
          ? sideBySide(rows).map((pair, index) => <SplitRow key={index} pair={pair} colours={colours} />)
          : rows.map((row, index) => <InlineRow key={index} row={row} colours={colours} />)}
      </tbody>
    </table>
  );
}

const CHUNK_ROWS = 250;
const ROW_HEIGHT = 19;

/** Splits a diff only where removed lines stay with their replacements. */
function chunksOf(rows: readonly DiffRow[]): readonly (readonly DiffRow[])[] {
  const chunks: DiffRow[][] = [];
  let chunk: DiffRow[] = [];
  let isReplacing = false;
  for (const row of rows) {
    isReplacing = row.kind === "del" || (isReplacing && row.kind === "add");
    const limit = isReplacing ? 4 * CHUNK_ROWS : CHUNK_ROWS;
    if (chunk.length >= limit) {
      chunks.push(chunk);
      chunk = [];
    }
    chunk.push(row);
  }
  return [...chunks, chunk];
}
