import { endOfOutput } from "../messages/end-of-output.js";

/** Collects coloured output of running calls, so that colours survive a reload. Results for the model have none. */
export class ColouredOutput {
  readonly #byCall = new Map<string, string>();

  push(callId: string, text: string): void {
    this.#byCall.set(callId, endOfOutput((this.#byCall.get(callId) ?? "") + text));
  }

  /** Returns and discards the end of a call's output if it contains colours. */
  take(callId: string): string | undefined {
    const printed = this.#byCall.get(callId);
    this.#byCall.delete(callId);
    return printed !== undefined && COLOUR.test(printed) ? printed : undefined;
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours are escape sequences.
const COLOUR = /\u001b\[[\d;:]*m/;
