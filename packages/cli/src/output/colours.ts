import pico from "picocolors";
import { type CliIo, wantsColour } from "../cli-io.js";

export type Colours = ReturnType<typeof pico.createColors>;

export function coloursFor(stream: CliIo["stderr"] | CliIo["stdout"], env: CliIo["env"]): Colours {
  return pico.createColors(wantsColour(stream, env));
}
