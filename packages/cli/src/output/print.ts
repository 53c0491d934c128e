import { renderForHuman } from "@haft/text";
import type { CliIo } from "../cli-io.js";

/** Text for a person: nothing in it can steer the terminal it is shown in. */
export function printText(stream: CliIo["stdout"], text: string): void {
  const safe = renderForHuman(text);
  stream.write(safe.endsWith("\n") ? safe : `${safe}\n`);
}

/** Data for a program: one value on one line, exactly as it is. */
export function printJson(stream: CliIo["stdout"], value: unknown): void {
  stream.write(`${JSON.stringify(value)}\n`);
}
