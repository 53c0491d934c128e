import pico from "picocolors";

/** Colours the lines of a diff. The text has been made safe before: what is added here is all the colour there is. */
export function colourDiff(text: string, isColoured: boolean): string {
  if (!isColoured) return text;
  const { green, red, cyan, bold } = pico.createColors(true);
  return text
    .split("\n")
    .map((line, index) => {
      if (index === 0) return bold(line);
      if (line.startsWith("@@")) return cyan(line);
      if (line.startsWith("+")) return green(line);
      return line.startsWith("-") ? red(line) : line;
    })
    .join("\n");
}
