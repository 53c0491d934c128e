import { describe, expect, it } from "vitest";
import { digestInBackground, digestOf } from "./audit-chain.js";

describe("digestInBackground", () => {
  const lengths = [0, 1, 64 * 1024, 1024 * 1024 - 12, 1024 * 1024 - 11, 3 * 1024 * 1024];

  it.each(lengths)(
    "S13 gives the digest of a text of %d characters, also where a pair is cut",
    async (length) => {
      const value = { b: `${"ж".repeat(length)}😀${"\ud800"}`, a: [1, undefined] };
      expect(await digestInBackground(value)).toBe(digestOf(value));
    },
  );
});
