import { renderForHuman, renderJson } from "@haft/text";
import type { CliIo } from "../cli-io.js";

/** Prints text for a person, with control characters escaped. */
export function printText(stream: CliIo["stdout"], text: string): void {
  const safe = renderForHuman(text);
  stream.write(safe.endsWith("\n") ? safe : `${safe}\n`);
}

/** Prints one JSON value per line. Escapes make it safe to show on a terminal. */
export function printJson(stream: CliIo["stdout"], value: unknown): void {
  stream.write(`${renderJson(value)}\n`);
}
