import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** What a client carries from a question to its answer: only what was handed out here is taken back. */
export class RequestStates {
  readonly #key = randomBytes(32);

  seal(callId: string): string {
    return `${callId}.${this.#sign(callId).toString("base64url")}`;
  }

  /** Undefined for a state that was not made here, or was changed on its way. */
  open(state: string): string | undefined {
    const dot = state.lastIndexOf(".");
    const callId = state.slice(0, Math.max(dot, 0));
    const given = Buffer.from(state.slice(dot + 1), "base64url");
    const expected = this.#sign(callId);
    // Decoding forgives what re-encoding shows.
    const isExact = given.length === expected.length && this.seal(callId) === state;
    return isExact && timingSafeEqual(given, expected) ? callId : undefined;
  }

  #sign(callId: string): Buffer {
    return createHmac("sha256", this.#key).update(callId).digest();
  }
}
