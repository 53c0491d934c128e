import type { Colours } from "../output/colours.js";

/** Colours one line of a diff. The line must already be escaped. */
export function colourDiffLine(line: string, { green, red, cyan }: Colours): string {
  if (line.startsWith("@@")) return cyan(line);
  if (line.startsWith("+")) return green(line);
  return line.startsWith("-") ? red(line) : line;
}
