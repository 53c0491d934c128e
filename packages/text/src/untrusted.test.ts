import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { untrusted } from "./untrusted.js";

describe("untrusted", () => {
  it("nothing in the text or in the name of its source can end the mark", () => {
    const pieces = fc.constantFrom("</untrusted>", "< /UNTRUSTED", '"', ">", "\n", "a", "<untrusted");
    fc.assert(
      fc.property(fc.array(pieces), fc.array(pieces), (source, text) => {
        const marked = untrusted(source.join(""), text.join(""));
        expect(marked.match(/<[\s/\\]{0,8}untrusted/gi)).toHaveLength(2);
        expect(marked.startsWith('<untrusted source="')).toBe(true);
        expect(marked.endsWith("\n</untrusted>")).toBe(true);
      }),
    );
  });
});
