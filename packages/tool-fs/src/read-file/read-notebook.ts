import { type CallContext, ToolError } from "@haft/core";
import { describeSize } from "../describe-size.js";
import { fileFacts } from "./file-facts.js";
import { type Notebook, parseNotebook, renderCell } from "./notebook-text.js";
import { pagedText } from "./paged-text.js";
import { parseRanges, writeRanges } from "./ranges.js";
import type { ReadFileResult } from "./read-file-schema.js";
import type { ReadContext } from "./read-slice.js";
import { type FileInHand, readText } from "./read-text.js";
import { sliceOfText } from "./text-slice.js";

/** A Jupyter notebook cell by cell; what turns out not to be one is read as text. */
export async function readNotebook(
  hand: FileInHand,
  context: ReadContext & Pick<CallContext, "warn">,
): Promise<ReadFileResult> {
  const { file, args } = hand;
  if (file.size > MAX_NOTEBOOK_BYTES) throw tooLarge(hand);
  const whole = await context.workspace.readTextFile(file.path).catch(() => undefined);
  const notebook = whole === undefined ? undefined : parseNotebook(whole.text);
  if (whole === undefined || notebook === undefined) {
    context.warn(`${args.path} is not a valid notebook, so it is shown as text`);
    return readText(hand, context);
  }
  const { text, part } = renderNotebook(notebook, args.cells);
  return {
    ...fileFacts(whole, context.workspace),
    kind: "notebook",
    hash: whole.hash,
    ...pagedText(sliceOfText(text, args.offset), whole.format, hand),
    totalCells: notebook.cells.length,
    ...(part === "" ? {} : { part }),
    mimeType: "application/x-ipynb+json",
  };
}

const MAX_NOTEBOOK_BYTES = 64 * 1024 * 1024;
const MAX_TEXT_CHARS = 8 * 1024 * 1024;

function renderNotebook(
  { cells, language }: Notebook,
  wanted: string | undefined,
): { text: string; part: string } {
  if (cells.length === 0) return { text: "", part: "" };
  const asked = parseRanges(wanted ?? "1-", cells.length, "cells");
  const shown: string[] = [];
  let chars = 0;
  for (const number of asked) {
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
    `${args.path} has ${describeSize(file.size)}; notebooks are read up to ${describeSize(MAX_NOTEBOOK_BYTES)}`,
    { hint: "Clear its outputs, or search it with grep." },
  );
}
