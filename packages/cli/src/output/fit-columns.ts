import { textColumns, wrapColumns } from "@haft/text";

/** Truncates one row of escaped text to a width and marks the cut with an ellipsis. */
export function fitColumns(text: string, columns: number): string {
  const limit = Math.max(2, columns);
  if (text.length <= limit && textColumns(text) <= limit) return text;
  const [row = ""] = wrapColumns(text, limit - 1);
  return row === text ? text : `${row.trimEnd()}…`;
}
