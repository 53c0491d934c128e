import { Link } from "../parts/link.js";
import { VisibleText } from "../parts/visible-text.js";
import { type SearchRow, searchRows } from "./search-rows.js";

/** Shows the result of a search. Files and lines link into the viewer; totals and hints stay in place. */
export function SearchResults({ text }: { readonly text: string }) {
  const rows = searchRows(text);
  return (
    <div class="hits">
      {rows.slice(0, MAX_ROWS).map((row, index) => (
        <ResultRow key={index} row={row} />
      ))}
      {rows.length > MAX_ROWS && <p class="card-note">{rows.length - MAX_ROWS} more lines.</p>}
    </div>
  );
}

const MAX_ROWS = 1_000;

function ResultRow({ row }: { readonly row: SearchRow }) {
  if (row.kind === "note")
    return (
      <p class="card-note">
        <VisibleText text={row.text} />
      </p>
    );
  if (row.kind === "file")
    return (
      <Link class="f" screen="files" item={row.path}>
        <VisibleText text={row.path} />
      </Link>
    );
  return (
    <Link screen="files" item={row.path} line={row.line}>
      <span class="n">{row.line}</span>
      <span>
        <VisibleText text={row.text} />
      </span>
    </Link>
  );
}
