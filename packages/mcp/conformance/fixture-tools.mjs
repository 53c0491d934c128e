// The tools that the conformance suite calls, as far as a Haft tool can provide what it expects.
import { defineTool, fromJsonSchema, s, ToolError } from "@haft/core";

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const reading = (name, summary, run, more = {}) =>
  defineTool({
    name,
    summary,
    category: "x-test",
    permissions: ["ReadFiles"],
    input: s.object({}),
    output: s.object({ text: s.string("The answer") }),
    run: async (args, context) => ({ text: await run(args, context) }),
    render: ({ text }) => text,
    ...more,
  });

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export const FIXTURE_TOOLS = [
  reading(
    "test_simple_text",
    "Answers with text.",
    async () => "This is a simple text response for testing.",
  ),
  reading("test_image_content", "Answers with an image.", async (_args, { attach }) => {
    attach({ type: "image", mimeType: "image/png", data: PIXEL });
    return "An image.";
  }),
  reading("test_error_handling", "Answers with an error.", async () => {
    throw new ToolError("TEST_FAILED", "This tool intentionally returns an error for testing", {});
  }),
  reading("test_tool_with_progress", "Reports progress.", async (_args, { report }) => {
    for (const done of [0, 50, 100]) {
      report({ message: `Completed step ${done} of 100`, done: done || 1, total: 100 });
      await wait(80);
    }
    return "Done.";
  }),
  // An approval takes the place of the suite's elicitation, because our servers ask for nothing else.
  reading("test_elicitation", "Asks first.", async () => "Asked and approved.", {
    approval: "confirm",
    permissions: ["NetworkAccess"],
    input: s.object({ message: s.string("What to ask", { default: "" }) }),
  }),
  ...["elicitation", "request_state", "tampered_state"].map((name) =>
    reading(`test_input_required_result_${name}`, "Asks first.", async () => "Asked and approved.", {
      approval: "confirm",
      permissions: ["NetworkAccess"],
    }),
  ),
  reading("json_schema_2020_12_tool", "Has a schema with everything.", async () => "ok", {
    input: fromJsonSchema({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      $defs: {
        address: {
          $anchor: "addressDef",
          type: "object",
          properties: { street: { type: "string" }, city: { type: "string" } },
        },
      },
      properties: {
        name: { type: "string" },
        address: { $ref: "#/$defs/address" },
        contactMethod: { type: "string", enum: ["phone", "email"] },
        phone: { type: "string" },
        email: { type: "string" },
      },
      allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
      if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
      then: { required: ["phone"] },
      else: { required: ["email"] },
      additionalProperties: false,
    }),
  }),
];
