import { renderForHuman, renderJson } from "@haft/text";
import type { CliIo } from "../cli-io.js";

/** Text for a person: nothing in it can steer the terminal it is shown in. */
export function printText(stream: CliIo["stdout"], text: string): void {
  const safe = renderForHuman(text);
  stream.write(safe.endsWith("\n") ? safe : `${safe}\n`);
}

/** Data for a program: one value on one line, exactly as it is; a terminal it ends up in is steered by nothing in it either. */
export function printJson(stream: CliIo["stdout"], value: unknown): void {
  stream.write(`${renderJson(value)}\n`);
}
