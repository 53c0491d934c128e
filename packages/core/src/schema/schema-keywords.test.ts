import { describe, expect, it } from "vitest";
import { compileSchema } from "./compile-schema.js";
import { KEYWORD_CASES } from "./schema-keywords.fixture.js";

// Our own cases, written from the specifications, so that CI needs no copy of the official suite
// (json-schema-suite.test.ts).

const DRAFTS = [
  ["draft-07", "http://json-schema.org/draft-07/schema#"],
  ["2020-12", "https://json-schema.org/draft/2020-12/schema"],
] as const;

describe.each(DRAFTS)("third-party schemas in %s", (draft, $schema) => {
  const cases = KEYWORD_CASES.filter(({ drafts }) => drafts === "both" || drafts === draft);

  it.each(cases.map((each) => [each.keyword, JSON.stringify(each.schema), each] as const))(
    "FA9 %s: %s",
    (_keyword, _text, { schema, valid, invalid }) => {
      const accepts = (value: unknown) =>
        compileSchema({ $schema, ...schema } as never)(structuredClone(value)).length === 0;
      expect(valid.filter((value) => !accepts(value))).toEqual([]);
      expect(invalid.filter(accepts)).toEqual([]);
    },
  );

  it("FA9 every validating keyword is tested with values it accepts and values it rejects", () => {
    const tried = (side: "valid" | "invalid") =>
      new Set(cases.filter((each) => each[side].length > 0).map(({ keyword }) => keyword));
    const missing = KEYWORDS[draft].filter(
      (each) => !tried("valid").has(each) || !tried("invalid").has(each),
    );
    expect(missing).toEqual([]);
  });
});

const COMMON =
  "type enum const multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern maxItems minItems uniqueItems contains maxProperties minProperties required properties patternProperties additionalProperties propertyNames allOf anyOf oneOf not if then else items $ref";

const KEYWORDS = {
  "draft-07": `${COMMON} additionalItems dependencies definitions $id`.split(" "),
  "2020-12":
    `${COMMON} prefixItems minContains maxContains dependentRequired dependentSchemas $defs $anchor $dynamicRef unevaluatedProperties unevaluatedItems`.split(
      " ",
    ),
};
