import { describe, expect, it } from "vitest";
import { sharedStart } from "./shared-start.js";

const bytes = (text: string) => new TextEncoder().encode(text);

describe("sharedStart", () => {
  it("counts whole words that two contents begin with", () => {
    expect(sharedStart(bytes("abcdefgh-one"), bytes("abcdefgh-two"))).toBe(8);
    expect(sharedStart(bytes("abcd"), bytes("abcd"))).toBe(4);
    expect(sharedStart(bytes("abcdefg"), bytes("abcdefghi"))).toBe(4);
  });

  it("is 0 where nothing is the same, or one is empty", () => {
    expect(sharedStart(bytes("abcd"), bytes("xbcd"))).toBe(0);
    expect(sharedStart(bytes(""), bytes("abcd"))).toBe(0);
  });

  it("looks at bytes in the middle of their memory, and gives up where words begin elsewhere", () => {
    const memory = bytes("0123abcdefgh");
    expect(sharedStart(memory.subarray(4), bytes("abcdefxx"))).toBe(4);
    expect(sharedStart(memory.subarray(5), bytes("bcdefgh"))).toBe(0);
  });
});
