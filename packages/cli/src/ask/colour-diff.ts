import type { Colours } from "../output/colours.js";

/** Colours the lines of a diff. The text has been made safe before: what is added here is all the colour there is. */
export function colourDiff(text: string, colours: Colours): string {
  return text
    .split("\n")
    .map((line, index) => (index === 0 ? colours.bold(line) : colourDiffLine(line, colours)))
    .join("\n");
}

export function colourDiffLine(line: string, { green, red, cyan }: Colours): string {
  if (line.startsWith("@@")) return cyan(line);
  if (line.startsWith("+")) return green(line);
  return line.startsWith("-") ? red(line) : line;
}
