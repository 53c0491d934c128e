// Draws the screen of an emulated terminal as an SVG.

const CELL = { width: 8.4, height: 18 };
const COLOURS = { 1: "#f47067", 2: "#57ab5a", 3: "#daaa3f", 6: "#76e3ea", 8: "#768390" };
const PLAIN = "#d1d7e0";

export function drawTerminal(terminal, title) {
  const lines = screenLines(terminal);
  const width = Math.ceil(terminal.cols * CELL.width + 32);
  const height = Math.ceil(lines.length * CELL.height + 32);
  const rows = lines.flatMap((spans, row) =>
    spans
      .filter(({ text }) => text.trim() !== "")
      .map(({ look, text, column }) => {
        const x = (16 + column * CELL.width).toFixed(1);
        const y = 16 + (row + 0.75) * CELL.height;
        return `<text x="${x}" y="${y}" ${look} textLength="${(text.length * CELL.width).toFixed(1)}">${escaped(text)}</text>`;
      }),
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="ui-monospace, Menlo, Consolas, monospace" font-size="14">
<title>${escaped(title)}</title>
<rect width="100%" height="100%" rx="8" fill="#1c2128"/>
${rows.join("\n")}
</svg>
`;
}

/** Splits each line into runs of characters with the same style. */
function screenLines(terminal) {
  const { active } = terminal.buffer;
  const lines = [];
  for (let row = 0; row < active.length; row += 1) lines.push(spansOf(active.getLine(row)));
  while (lines.at(-1)?.length === 0) lines.pop();
  return lines;
}

function spansOf(line) {
  const spans = [];
  const length = line.translateToString(true).length;
  for (let column = 0; column < length; column += 1) {
    const cell = line.getCell(column);
    const fill = cell.isFgDefault() ? PLAIN : (COLOURS[cell.getFgColor()] ?? PLAIN);
    const look = `fill="${fill}"${cell.isBold() ? ' font-weight="bold"' : ""}${cell.isDim() ? ' opacity="0.65"' : ""}`;
    const text = cell.getChars() || " ";
    const last = spans.at(-1);
    if (last?.look === look) last.text += text;
    else spans.push({ look, text, column });
  }
  return spans;
}

function escaped(text) {
  return (
    text
      .replaceAll("&", "&amp;")
      .replaceAll("<", "&lt;")
      .replaceAll(">", "&gt;")
      // Browsers drop leading spaces of a text.
      .replaceAll(" ", "\u00a0")
  );
}
