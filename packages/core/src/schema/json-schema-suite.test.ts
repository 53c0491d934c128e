import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { compileSchema } from "./compile-schema.js";
import { SUITE_EXCEPTIONS } from "./json-schema-suite.fixture.js";

// The official suite is not part of this repository. To run it, clone json-schema-org/JSON-Schema-Test-Suite and set
// JSON_SCHEMA_TEST_SUITE to the clone.
const SUITE = process.env.JSON_SCHEMA_TEST_SUITE;

interface Group {
  readonly description: string;
  readonly schema: object | boolean;
  readonly tests: readonly {
    readonly description: string;
    readonly data: unknown;
    readonly valid: boolean;
  }[];
}

const DRAFTS = [
  ["draft7", "http://json-schema.org/draft-07/schema#"],
  ["draft2020-12", "https://json-schema.org/draft/2020-12/schema"],
] as const;

describe.skipIf(SUITE === undefined)("the JSON Schema Test Suite (needs JSON_SCHEMA_TEST_SUITE)", () => {
  it.each(DRAFTS)("FA9 %s: no difference that is not on the list", (draft, $schema) => {
    const folder = join(SUITE ?? "", "tests", draft);
    const files = readdirSync(folder).filter((file) => file.endsWith(".json"));
    const results = files.flatMap((file) => {
      const groups = JSON.parse(readFileSync(join(folder, file), "utf8")) as Group[];
      return groups.flatMap((group) => differences(group, $schema).map((what) => `${file} | ${what}`));
    });
    const listed = SUITE_EXCEPTIONS.map(({ tests }) => tests);
    const unlisted = results.filter((result) => !listed.some((tests) => tests.test(`${draft} | ${result}`)));
    expect(unlisted).toEqual([]);
  });
});

function differences({ description, schema, tests }: Group, $schema: string): readonly string[] {
  // A new object each time, because validators are cached by object.
  const own = typeof schema === "boolean" ? (schema ? {} : { not: {} }) : { $schema, ...schema };
  return tests
    .filter(({ data, valid }) => verdict(own, data) !== valid)
    .map((test) => `${description} | ${test.description}`);
}

function verdict(schema: object, data: unknown): boolean | string {
  try {
    return compileSchema(schema as never)(structuredClone(data)).length === 0;
  } catch (error) {
    return String(error);
  }
}
