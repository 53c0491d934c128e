import { renderForHuman, renderJson } from "@haft/text";
import { lineColumns } from "../ask/terminal-size.js";
import type { CliIo } from "../cli-io.js";
import { wrappedLines } from "../run/styled-rows.js";

/** Prints text for a person, with control characters escaped. */
export function printText(stream: CliIo["stdout"], text: string): void {
  const safe = renderForHuman(text);
  stream.write(safe.endsWith("\n") ? safe : `${safe}\n`);
}

/** Prints sentences for a person. On a terminal they wrap between words; elsewhere each line stays whole. */
export function printNote(stream: CliIo["stdout"], text: string): void {
  const safe = renderForHuman(text).trimEnd();
  printText(stream, stream.isTTY === true ? wrappedLines(safe, lineColumns(stream)).join("\n") : text);
}

/** Prints one JSON value per line. Escapes make it safe to show on a terminal. */
export function printJson(stream: CliIo["stdout"], value: unknown): void {
  stream.write(`${renderJson(value)}\n`);
}
