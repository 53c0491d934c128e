import { describe, expect, it } from "vitest";
import { sharedStart } from "./shared-start.js";

const bytes = (text: string) => new TextEncoder().encode(text);

describe("sharedStart", () => {
  it("counts the whole words at the start that two contents share", () => {
    expect(sharedStart(bytes("abcdefgh-one"), bytes("abcdefgh-two"))).toBe(8);
    expect(sharedStart(bytes("abcd"), bytes("abcd"))).toBe(4);
    expect(sharedStart(bytes("abcdefg"), bytes("abcdefghi"))).toBe(4);
  });

  it("is 0 if nothing is equal or one is empty", () => {
    expect(sharedStart(bytes("abcd"), bytes("xbcd"))).toBe(0);
    expect(sharedStart(bytes(""), bytes("abcd"))).toBe(0);
  });

  it("supports bytes in the middle of a buffer, and returns 0 if the words are not aligned", () => {
    const memory = bytes("0123abcdefgh");
    expect(sharedStart(memory.subarray(4), bytes("abcdefxx"))).toBe(4);
    expect(sharedStart(memory.subarray(5), bytes("bcdefgh"))).toBe(0);
  });
});
