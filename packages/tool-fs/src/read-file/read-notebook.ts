import { type CallContext, ToolError } from "@haft/core";
import { Pace } from "@haft/core/workspace";
import { describeBytes } from "@haft/text";
import { fileFacts } from "./file-facts.js";
import { pagedText } from "./paged-text.js";
import { type Notebook, parseNotebook } from "./parse-notebook.js";
import { parseRanges, writeRanges } from "./ranges.js";
import type { ReadFileResult } from "./read-file-schema.js";
import type { ReadContext } from "./read-slice.js";
import { type FileInHand, readText } from "./read-text.js";
import { renderCell } from "./render-cell.js";
import { sliceOfText } from "./text-slice.js";

/** Reads a Jupyter notebook cell by cell. Falls back to text if it is not one. */
export async function readNotebook(
  hand: FileInHand,
  context: ReadContext & Pick<CallContext, "warn">,
): Promise<ReadFileResult> {
  const { file, args } = hand;
  if (file.size > MAX_NOTEBOOK_BYTES) throw tooLarge(hand);
  const pace = new Pace(context.signal);
  const whole = await context.workspace.readTextFile(file.path).catch(() => undefined);
  const notebook = whole === undefined ? undefined : await parseNotebook(whole.text, pace);
  if (whole === undefined || notebook === undefined) {
    context.warn(`${args.path} is not a valid notebook, so it is shown as text`);
    return readText(hand, context);
  }
  const { text, part } = await renderNotebook(notebook, args.cells, pace);
  return {
    ...fileFacts(whole, context.workspace),
    kind: "notebook",
    hash: whole.hash,
    ...pagedText(sliceOfText(text, args.offset), whole, hand),
    totalCells: notebook.cells.length,
    ...(part === "" ? {} : { part }),
    mimeType: "application/x-ipynb+json",
  };
}

const MAX_NOTEBOOK_BYTES = 64 * 1024 * 1024;
const MAX_TEXT_CHARS = 8 * 1024 * 1024;

async function renderNotebook(
  { cells, language }: Notebook,
  wanted: string | undefined,
  pace: Pace,
): Promise<{ text: string; part: string }> {
  if (cells.length === 0) return { text: "", part: "" };
  const asked = parseRanges(wanted ?? "1-", cells.length, "cells");
  const shown: string[] = [];
  let chars = 0;
  for (const number of asked) {
    await pace.breathe();
    const cell = renderCell(cells[number - 1], number, language);
    chars += cell.length;
    if (shown.length > 0 && chars > MAX_TEXT_CHARS) break;
    shown.push(cell);
  }
  return { text: `${shown.join("\n\n")}\n`, part: writeRanges(asked.slice(0, shown.length)) };
}

function tooLarge({ file, args }: FileInHand): ToolError {
  return new ToolError(
    "FILE_TOO_LARGE",
    `${args.path} has ${describeBytes(file.size)}; notebooks are read up to ${describeBytes(MAX_NOTEBOOK_BYTES)}`,
    { hint: "Clear its outputs, or search it with [[grep]]." },
  );
}
