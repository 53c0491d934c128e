import type { JsonSchema } from "@haft/core";
import { compileSchema } from "@haft/core/compile-schema";
import type { jsonSchemaValidator } from "@modelcontextprotocol/server";

/** Lets the SDK validate with the kernel instead of loading a second validator. */
export const kernelValidator: jsonSchemaValidator = {
  getValidator: <T>(schema: object) => {
    const problemsOf = compileSchema(schema as JsonSchema);
    return (input: unknown) => {
      // Validation fills in defaults, so it works on a copy.
      const problems = problemsOf(structuredClone(input));
      if (problems.length === 0) return { valid: true, data: input as T, errorMessage: undefined };
      const errorMessage = problems.map(({ pointer, message }) => `${pointer} ${message}`.trim()).join("; ");
      return { valid: false, data: undefined, errorMessage };
    };
  },
};
