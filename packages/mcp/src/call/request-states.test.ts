import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RequestStates } from "./request-states.js";

const QUESTION = { callId: "call-1", questionId: "question-1" };

describe("RequestStates", () => {
  it("accepts its own states, and none with a changed character", () => {
    const states = new RequestStates();
    const state = states.seal(QUESTION);
    expect(states.open(state)).toEqual(QUESTION);
    fc.assert(
      fc.property(fc.nat(state.length), fc.string({ maxLength: 3 }), (at, inserted) => {
        const changed = state.slice(0, at) + inserted + state.slice(at + 1);
        expect(states.open(changed)).toEqual(changed === state ? QUESTION : undefined);
      }),
    );
  });

  it("rejects states of another server, and other strings", () => {
    const states = new RequestStates();
    expect(states.open(new RequestStates().seal(QUESTION))).toBeUndefined();
    for (const state of ["", ".", "..", "call-1", "call-1.1", "call-1.1.", "..AAAA"])
      expect(states.open(state)).toBeUndefined();
  });
});
