// Runs the demo on a pseudo-terminal and draws what is on the screen in the end: docs/demo.svg, the picture in the README.
// node tooling/demo-picture.mjs (after a build)
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const { Terminal } = createRequire(new URL("../packages/cli/package.json", import.meta.url))(
  "@xterm/headless",
);
const COLUMNS = 104;
const CELL = { width: 8.4, height: 18 };
const COLOURS = { 1: "#f47067", 2: "#57ab5a", 3: "#daaa3f", 6: "#76e3ea", 8: "#768390" };
const PLAIN = "#d1d7e0";

const terminal = new Terminal({ cols: COLUMNS, rows: 100, allowProposedApi: true });
await recordDemo();
writeFileSync(`${ROOT}docs/demo.svg`, picture(screenLines()));

async function recordDemo() {
  const command = `stty cols ${COLUMNS} rows 100; exec '${process.execPath}' examples/demo/main.js`;
  const child = spawn("/usr/bin/script", ["-qec", command, "/dev/null"], {
    cwd: ROOT,
    env: { ...process.env, TERM: "xterm-256color", NO_COLOR: "" },
  });
  const writes = [];
  child.stdout.on("data", (chunk) => writes.push(new Promise((resolve) => terminal.write(chunk, resolve))));
  const code = await new Promise((resolve, reject) => child.on("error", reject).on("close", resolve));
  await Promise.all(writes);
  if (code !== 0) throw new Error(`the demo ended with ${code}`);
}

/** Each line as runs of characters that look the same. */
function screenLines() {
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

function picture(lines) {
  const width = Math.ceil(COLUMNS * CELL.width + 32);
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
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="ui-monospace, Menlo, Consolas, monospace" font-size="14" xml:space="preserve">
<title>haft run finds a bug, edits it with a diff, runs the tests in a sandbox and sums up</title>
<rect width="100%" height="100%" rx="8" fill="#1c2128"/>
${rows.join("\n")}
</svg>
`;
}

function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
