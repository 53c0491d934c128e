import { ToolError } from "@haft/core";
import { describeBytes } from "@haft/text";
import { fileFacts } from "./file-facts.js";
import { pagedText } from "./paged-text.js";
import { writeRanges } from "./ranges.js";
import type { ReadFileResult } from "./read-file-schema.js";
import type { ReadContext } from "./read-slice.js";
import type { FileInHand } from "./read-text.js";
import { sliceOfText } from "./text-slice.js";

/**
 * Reads the text of a PDF by page. The parser runs in a worker with limited time and memory, because PDFs can be
 * hostile.
 */
export async function readPdf(hand: FileInHand, context: ReadContext): Promise<ReadFileResult> {
  const { file, args, limiter } = hand;
  const { workspace, signal } = context;
  if (file.size > MAX_PDF_BYTES) throw tooLarge(hand);
  const hash = await workspace.hashOf(file.path);
  const bytes = await workspace.readBytes(file.path);
  // The worker exists only on Node; the pack itself loads anywhere.
  const { extractPdfText } = await import("./node/extract-pdf-text.js");
  const request = { bytes, pages: args.pages, path: args.path, signal, limiter };
  const { pages, totalPages } = await extractPdfText(request);
  const text = pages.map(({ number, text }) => `[page ${number}]\n${text.trim() || NO_TEXT}\n`).join("\n");
  return {
    ...fileFacts(file, workspace),
    kind: "pdf",
    hash,
    ...pagedText(sliceOfText(text, args.offset), { format: { encoding: "binary", bom: false } }, hand),
    totalPages,
    ...(pages.length === 0 ? {} : { part: writeRanges(pages.map(({ number }) => number)) }),
    mimeType: "application/pdf",
  };
}

/** Scanned pages contain only images. */
const NO_TEXT = "(no text on this page)";
const MAX_PDF_BYTES = 64 * 1024 * 1024;

function tooLarge({ file, args }: FileInHand): ToolError {
  return new ToolError(
    "FILE_TOO_LARGE",
    `${args.path} has ${describeBytes(file.size)}; PDFs are read up to ${describeBytes(MAX_PDF_BYTES)}`,
  );
}
