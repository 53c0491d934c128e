import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RequestStates } from "./request-states.js";

describe("RequestStates", () => {
  it("takes back what it made, and nothing that differs from it by a character", () => {
    const states = new RequestStates();
    const state = states.seal("call-1");
    expect(states.open(state)).toBe("call-1");
    fc.assert(
      fc.property(fc.nat(state.length), fc.string({ maxLength: 3 }), (at, inserted) => {
        const changed = state.slice(0, at) + inserted + state.slice(at + 1);
        expect(states.open(changed)).toBe(changed === state ? "call-1" : undefined);
      }),
    );
  });

  it("takes back nothing that another server made, nor what is no state at all", () => {
    const states = new RequestStates();
    expect(states.open(new RequestStates().seal("call-1"))).toBeUndefined();
    for (const state of ["", ".", "call-1", "call-1.", ".AAAA"]) expect(states.open(state)).toBeUndefined();
  });
});
