// How the demo shows a call: driven by the result alone. Colour only on a terminal.
const isColourful = process.stdout.isTTY === true && process.env.NO_COLOR === undefined;
const paint = (code, text) => (isColourful ? `\u001b[${code}m${text}\u001b[0m` : text);

export function printHeading(text) {
  console.log(`\n${paint(1, text)}`);
}

/** @template {{ ok: boolean, text: string, durationMs: number, changes?: readonly { diff?: string }[], preview?: boolean }} R @param {R} result */
export function printCall(tool, args, result) {
  const mark = result.ok ? paint(32, "✓") : paint(31, "✗");
  console.log(
    `${mark} ${tool} ${shorten(JSON.stringify(args))} ${paint(2, `${result.durationMs.toFixed(1)} ms`)}`,
  );
  console.log(indent(result.text));
  return result;
}

export function printQuestion(request) {
  console.log(`${paint(33, "?")} ${request.tool} may run? ${request.reason} (risk: ${request.risk})`);
  for (const change of request.changes) console.log(indent(change.diff ?? `${change.kind} ${change.path}`));
  console.log(`  ${paint(2, "the user says yes")}`);
}

function indent(text) {
  return text
    .trimEnd()
    .split("\n")
    .map(
      (line) =>
        `    ${line.startsWith("+") ? paint(32, line) : line.startsWith("-") ? paint(31, line) : line}`,
    )
    .join("\n");
}

function shorten(text) {
  return text.length <= 90 ? text : `${text.slice(0, 89)}…`;
}
