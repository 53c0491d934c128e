import type { DurableEvent } from "@haft/agent";
import type { ChangeSummary } from "@haft/core";
import { markValue, renderInline } from "@haft/text";
import { paintRow } from "../ask/paint-row.js";
import { terminalSize } from "../ask/terminal-size.js";
import { viewRows } from "../ask/view-rows.js";
import type { CliIo } from "../cli-io.js";
import { coloursFor } from "../output/colours.js";

/**
 * Shows every change of a session, oldest first, in a pager if they do not fit on the screen. Returns false if there is
 * none.
 */
export async function showRunDiff(events: readonly DurableEvent[], io: CliIo): Promise<boolean> {
  const changes = events.flatMap((event) => (event.type === "call.settled" ? event.effects : []));
  if (changes.length === 0) return false;
  const colours = coloursFor(io.stderr, io.env);
  const text = {
    title: `${changes.length} ${changes.length === 1 ? "change" : "changes"}`,
    rows: (columns: number) =>
      changes.flatMap((change, index) => [...(index === 0 ? [] : [""]), ...changeRows(change, columns)]),
    paint: (row: string) => paintRow(row, colours),
  };
  const { rows, columns } = terminalSize(io.stderr);
  const all = text.rows(columns);
  if (all.length <= rows - PROMPT_ROWS) io.stderr.write(all.map((row) => `${text.paint(row)}\n`).join(""));
  else await viewRows(text, io, new AbortController().signal);
  return true;
}

/** The command and the prompt of a session stay on the screen. */
const PROMPT_ROWS = 4;

function changeRows({ kind, path, from, diff }: ChangeSummary, columns: number): readonly string[] {
  const places = from === undefined ? path : `${from} -> ${path}`;
  const rows = diff === undefined ? [] : markValue(diff, { columns, isDiff: true });
  return [`${kind} ${renderInline(places)}`, ...rows];
}
