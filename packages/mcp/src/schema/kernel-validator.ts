import type { JsonSchema } from "@haft/core";
import { compileSchema } from "@haft/core/compile-schema";
import type { jsonSchemaValidator } from "@modelcontextprotocol/server";

/** The kernel's validation for the SDK, which otherwise brings a second engine along. */
export const kernelValidator: jsonSchemaValidator = {
  getValidator: <T>(schema: object) => {
    const problemsOf = compileSchema(schema as JsonSchema);
    return (input: unknown) => {
      // Checking fills in defaults; what was received stays as it is.
      const problems = problemsOf(structuredClone(input));
      if (problems.length === 0) return { valid: true, data: input as T, errorMessage: undefined };
      const errorMessage = problems.map(({ pointer, message }) => `${pointer} ${message}`.trim()).join("; ");
      return { valid: false, data: undefined, errorMessage };
    };
  },
};
