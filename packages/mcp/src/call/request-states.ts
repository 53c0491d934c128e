import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** The question that an answer is for. */
export interface AnsweredQuestion {
  readonly callId: string;
  readonly questionId: string;
}

/** Signs the state a client carries between a question and its answer, and verifies it on return. */
export class RequestStates {
  readonly #key = randomBytes(32);

  seal({ callId, questionId }: AnsweredQuestion): string {
    const subject = `${callId}.${questionId}`;
    return `${subject}.${this.#sign(subject).toString("base64url")}`;
  }

  /** Returns undefined for a state that was not created here or was modified. */
  open(state: string): AnsweredQuestion | undefined {
    const [callId = "", questionId = "", signature = ""] = state.split(".");
    const given = Buffer.from(signature, "base64url");
    const expected = this.#sign(`${callId}.${questionId}`);
    // Base64 decoding accepts variants, so the re-encoded state must match exactly.
    const isExact = given.length === expected.length && this.seal({ callId, questionId }) === state;
    return isExact && timingSafeEqual(given, expected) ? { callId, questionId } : undefined;
  }

  #sign(subject: string): Buffer {
    return createHmac("sha256", this.#key).update(subject).digest();
  }
}
