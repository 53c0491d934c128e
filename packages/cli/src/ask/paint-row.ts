import type { Colours } from "../output/colours.js";
import { colourDiffLine } from "./colour-diff-line.js";

/** Colours one row of a question. The row must already be escaped. */
export function paintRow(row: string, colours: Colours): string {
  if (row.startsWith("⋮")) return colours.dim(row);
  if (/^[│┆]( |$)/.test(row))
    return `${colours.dim(row.slice(0, 1))}${row.slice(1, 2)}${colourDiffLine(row.slice(2), colours)}`;
  if (/^\S+ needs approval\b/.test(row)) return colours.bold(colours.yellow(row));
  if (row.startsWith("Approve? ")) return colours.bold(row);
  return row.replace(/\brisk high\b/, (risk) => colours.red(risk));
}
