/** One keyword of JSON Schema with values that it accepts and values that it refuses. */
export interface KeywordCase {
  readonly keyword: string;
  readonly drafts: "both" | "draft-07" | "2020-12";
  readonly schema: object;
  readonly valid: readonly unknown[];
  readonly invalid: readonly unknown[];
}

type Row = readonly [string, object, readonly unknown[], readonly unknown[]];

const both: readonly Row[] = [
  ["type", { type: "integer" }, [1, 1.0, -3, 1e3], [1.5, "1", null, true, []]],
  ["type", { type: "number" }, [1, 1.5], ["1", null, true, {}]],
  ["type", { type: "string" }, ["", "1"], [1, null, {}]],
  ["type", { type: "boolean" }, [true, false], [0, "", null]],
  ["type", { type: "null" }, [null], [0, "", false, {}]],
  ["type", { type: "array" }, [[], [1]], [{}, { length: 0 }, "[]"]],
  ["type", { type: "object" }, [{}, { a: 1 }], [[], null, "{}"]],
  ["type", { type: ["string", "null"] }, ["a", null], [1, [], {}]],
  [
    "enum",
    { enum: [1, "a", null, { a: [1] }, [false]] },
    [1, "a", null, { a: [1] }, [false]],
    [true, "1", [0], { a: [1, 2] }],
  ],
  ["const", { const: { a: 1, b: [2] } }, [{ b: [2], a: 1 }], [{ a: 1 }, { a: 1, b: [2], c: 0 }, null]],
  ["const", { const: 0 }, [0, -0, 0.0], [false, "", null, []]],
  ["const", { const: true }, [true], [1, "true"]],
  ["multipleOf", { multipleOf: 0.01 }, [0.07, 4.02, 0, 1.15], [0.007, 4.025]],
  ["multipleOf", { multipleOf: 3 }, [9, -3, "x"], [10, 1.5]],
  ["maximum", { maximum: 3 }, [3, -1, "9"], [3.1]],
  ["exclusiveMaximum", { exclusiveMaximum: 3 }, [2.999], [3, 4]],
  ["minimum", { minimum: -2 }, [-2, 0, null], [-2.0001]],
  ["exclusiveMinimum", { exclusiveMinimum: 1.1 }, [1.2], [1.1, 0]],
  ["maxLength", { maxLength: 2 }, ["", "ab", "💩💩", 100], ["abc", "💩💩💩"]],
  ["minLength", { minLength: 2 }, ["ab", "💩💩", 1], ["a", "💩", ""]],
  ["pattern", { pattern: "^a+$" }, ["aaa", 7, null], ["", "ab", "ba"]],
  ["pattern", { pattern: "b" }, ["abc"], ["ac"]],
  ["pattern", { pattern: "^\\p{L}+$" }, ["äß", "日本"], ["1"]],
  ["maxItems", { maxItems: 2 }, [[], [1, 2], "abc"], [[1, 2, 3]]],
  ["minItems", { minItems: 1 }, [[1], "", {}], [[]]],
  [
    "uniqueItems",
    { uniqueItems: true },
    [
      [1, 2],
      [{ a: 1 }, { a: 2 }],
      [1, true],
      [0, false],
      [[1], [true]],
      ["1", 1],
    ],
    [
      [1, 1],
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      [[1], [1]],
      [null, null],
    ],
  ],
  ["contains", { contains: { minimum: 5 } }, [[1, 5], [6], "x"], [[], [1, 4]]],
  ["contains", { contains: false }, ["x"], [[], [1]]],
  ["maxProperties", { maxProperties: 1 }, [{}, { a: 1 }, [1, 2]], [{ a: 1, b: 2 }]],
  ["minProperties", { minProperties: 1 }, [{ a: 1 }, [], ""], [{}]],
  ["required", { required: ["a", "b"] }, [{ a: 1, b: 2 }, [], "x"], [{ a: 1 }, {}]],
  // Names of members of Object.prototype are names like any other.
  [
    "required",
    { required: ["constructor", "toString"] },
    [JSON.parse('{"constructor":1,"toString":2}')],
    [{}, { constructor: 1 }],
  ],
  ["properties", { properties: { a: { type: "integer" } } }, [{ a: 1 }, { b: "x" }, []], [{ a: "x" }]],
  [
    "properties",
    { properties: { toString: { type: "number" }, hasOwnProperty: { type: "number" } } },
    [{}, JSON.parse('{"toString":1}')],
    [JSON.parse('{"toString":"x"}'), JSON.parse('{"hasOwnProperty":{}}')],
  ],
  [
    "patternProperties",
    { patternProperties: { "^x-": { type: "number" }, a: false } },
    [{ "x-b": 1 }, { c: "d" }],
    [{ "x-b": "1" }, { a: 1 }],
  ],
  [
    "additionalProperties",
    { properties: { a: {} }, patternProperties: { "^v": {} }, additionalProperties: false },
    [{ a: 1, vroom: 2 }, {}, []],
    [{ b: 1 }, { a: 1, toString: 2 }],
  ],
  ["additionalProperties", { additionalProperties: { type: "boolean" } }, [{ a: true }], [{ a: 1 }]],
  ["propertyNames", { propertyNames: { maxLength: 2 } }, [{ ab: 1 }, {}, "abc"], [{ abc: 1 }]],
  ["allOf", { allOf: [{ minimum: 2 }, { maximum: 4 }] }, [2, 4], [1, 5]],
  ["anyOf", { anyOf: [{ type: "string" }, { minimum: 3 }] }, ["x", 3], [1]],
  ["oneOf", { oneOf: [{ multipleOf: 2 }, { multipleOf: 3 }] }, [2, 3], [6, 1]],
  ["not", { not: { type: "integer" } }, ["x", 1.5], [1]],
  ["if", JSON.parse('{"if":{"minimum":10},"then":{"multipleOf":10},"else":{"maximum":5}}'), [20, 3], [15, 7]],
  ["then", JSON.parse('{"if":{"const":1},"then":{"const":2}}'), [2, 3], [1]],
  ["else", { if: { const: 1 }, else: { const: 2 } }, [1, 2], [3]],
  ["then", JSON.parse('{"then":{"const":0}}'), [1], []],
  ["format", { format: "made-up" }, ["anything", 1], []],
  ["$comment", { $comment: "no rule", title: "x", description: "y", examples: [1] }, [1, null], []],
  ["boolean schema", { properties: { a: true, b: false } }, [{ a: 1 }, {}], [{ b: 1 }]],
  [
    "$ref",
    { properties: { child: { $ref: "#" }, v: { type: "number" } }, additionalProperties: false },
    [{ child: { child: { v: 1 } } }],
    [{ child: { child: { w: 1 } } }, { child: { v: "1" } }],
  ],
  [
    "$ref",
    { properties: { "a/b": { type: "number" }, "c~d": { $ref: "#/properties/a~1b" } } },
    [{ "c~d": 1 }],
    [{ "c~d": "1" }],
  ],
];

const draft07: readonly Row[] = [
  ["items", { items: { type: "integer" } }, [[], [1, 2], {}], [[1, "x"]]],
  ["items", { items: [{ type: "integer" }, { type: "string" }] }, [[], [1], [1, "a", null]], [["a"], [1, 1]]],
  ["items", { items: false }, [[], "x"], [[1]]],
  ["additionalItems", { items: [{}], additionalItems: { type: "string" } }, [[1], [1, "a"]], [[1, 2]]],
  ["additionalItems", { items: [{}, {}], additionalItems: false }, [[], [1, 2]], [[1, 2, 3]]],
  ["additionalItems", { items: {}, additionalItems: false }, [[1, 2, 3]], []],
  [
    "dependencies",
    { dependencies: { a: ["b"], c: { required: ["d"] } } },
    [{ a: 1, b: 1 }, { b: 1 }, { c: 1, d: 1 }],
    [{ a: 1 }, { c: 1 }],
  ],
  [
    "definitions",
    { definitions: { n: { minimum: 3 } }, properties: { a: { $ref: "#/definitions/n" } } },
    [{ a: 3 }],
    [{ a: 2 }],
  ],
  // Beside a $ref nothing else counts.
  [
    "$ref",
    { definitions: { a: { type: "array" } }, properties: { f: { $ref: "#/definitions/a", maxItems: 1 } } },
    [{ f: [1, 2] }],
    [{ f: "x" }],
  ],
  [
    "$id",
    {
      $id: "http://example.org/root.json",
      definitions: { a: { $id: "#here", type: "integer" } },
      properties: { x: { $ref: "#here" } },
    },
    [{ x: 1 }],
    [{ x: "1" }],
  ],
];

const draft2020: readonly Row[] = [
  ["items", { items: { type: "integer" } }, [[], [1, 2], {}], [[1, "x"]]],
  ["items", { items: false }, [[]], [[1]]],
  ["prefixItems", { prefixItems: [{ type: "integer" }, false] }, [[], [1]], [["a"], [1, 1]]],
  ["items", { prefixItems: [{}], items: { type: "string" } }, [[1], [1, "a"]], [[1, 2]]],
  ["minContains", { contains: { const: 1 }, minContains: 2 }, [[1, 1], "x"], [[1], [2, 2]]],
  ["minContains", { contains: { const: 1 }, minContains: 0 }, [[], [2]], []],
  ["maxContains", { contains: { const: 1 }, maxContains: 1 }, [[1, 2]], [[1, 1], [2]]],
  ["dependentRequired", { dependentRequired: { a: ["b"] } }, [{ a: 1, b: 2 }, { b: 2 }], [{ a: 1 }]],
  ["dependentSchemas", { dependentSchemas: { a: { maxProperties: 1 } } }, [{ a: 1 }], [{ a: 1, b: 2 }]],
  [
    "$defs",
    { $defs: { n: { minimum: 3 } }, properties: { a: { $ref: "#/$defs/n" } } },
    [{ a: 3 }],
    [{ a: 2 }],
  ],
  [
    "$ref",
    { $defs: { a: { type: "array" } }, properties: { f: { $ref: "#/$defs/a", maxItems: 1 } } },
    [{ f: [1] }],
    [{ f: [1, 2] }, { f: "x" }],
  ],
  [
    "$anchor",
    { $defs: { a: { $anchor: "here", type: "integer" } }, properties: { x: { $ref: "#here" } } },
    [{ x: 1 }],
    [{ x: "1" }],
  ],
  [
    "$dynamicRef",
    {
      $dynamicAnchor: "node",
      properties: { children: { items: { $dynamicRef: "#node" } }, v: { type: "number" } },
      additionalProperties: false,
    },
    [{ children: [{ v: 1 }] }],
    [{ children: [{ v: "1" }] }, { children: [{ w: 1 }] }],
  ],
  [
    "unevaluatedProperties",
    { allOf: [{ properties: { a: {} } }], properties: { b: {} }, unevaluatedProperties: false },
    [{ a: 1, b: 2 }],
    [{ a: 1, c: 3 }],
  ],
  [
    "unevaluatedProperties",
    { anyOf: [{ required: ["a"], properties: { a: {} } }, true], unevaluatedProperties: { type: "string" } },
    [{ a: 1 }, { b: "x" }],
    [{ b: 1 }],
  ],
  [
    "unevaluatedItems",
    { prefixItems: [{}], allOf: [{ prefixItems: [{}, {}] }], unevaluatedItems: false },
    [[1], [1, 2]],
    [[1, 2, 3]],
  ],
];

const rows = (drafts: KeywordCase["drafts"], list: readonly Row[]): readonly KeywordCase[] =>
  list.map(([keyword, schema, valid, invalid]) => ({ keyword, drafts, schema, valid, invalid }));

export const KEYWORD_CASES: readonly KeywordCase[] = [
  ...rows("both", both),
  ...rows("draft-07", draft07),
  ...rows("2020-12", draft2020),
];
