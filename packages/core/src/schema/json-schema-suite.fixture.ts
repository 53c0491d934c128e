/**
 * Where a validation differs from the JSON Schema Test Suite, and why. docs/decisions/0016 has the same list in prose.
 */
export interface SuiteException {
  /** Matches `draft | file | group | test`. */
  readonly tests: RegExp;
  readonly reason: string;
}

export const SUITE_EXCEPTIONS: readonly SuiteException[] = [
  {
    tests: /^draft\S+ \| default\.json \|/,
    reason: "Defaults are filled in before a tool runs, and an invalid default is reported as such.",
  },
  {
    tests: /^draft\S+ \| refRemote\.json \|/,
    reason:
      "Nothing is fetched: a reference leads to a place in the same schema or to a published meta-schema.",
  },
  {
    tests: /\| __proto__ not valid$/,
    reason: "The kernel refuses arguments with a key __proto__ before any schema sees them.",
  },
  {
    tests: /^draft2020-12 \| enum\.json \| empty enum \|/,
    reason: "An empty enum can match nothing; ajv refuses to compile it, and the tool is not offered.",
  },
  {
    tests: /^draft7 \| ref\.json \| \$ref prevents a sibling \$id/,
    reason: "ajv registers an $id beside a $ref, although draft-07 ignores it.",
  },
  {
    tests:
      /^draft2020-12 \| ref\.json \| (?:refs with relative uris|relative refs with absolute uris|URN ref with nested)/,
    reason: "ajv resolves an $id inside of another resource against the root.",
  },
  {
    tests: /^draft2020-12 \| (?:dynamicRef\.json|unevaluated\S+ \| unevaluated\S+ with \$dynamicRef) \|/,
    reason: "ajv follows $dynamicRef within one resource only.",
  },
  {
    tests: /^draft2020-12 \| unevaluatedItems\.json \| .*(?:nested items|contains|minContains)/i,
    reason: "ajv does not count items that contains matched as evaluated.",
  },
  {
    tests: /^draft2020-12 \| unevaluated\S+ \| .*(?:if without then and else|then not defined)/,
    reason: "ajv ignores an if without then and else, with what it evaluated.",
  },
  {
    tests: /^draft2020-12 \| vocabulary\.json \|/,
    reason: "Custom meta-schemas are not fetched, so their vocabularies are unknown.",
  },
];
