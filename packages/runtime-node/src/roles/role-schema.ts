import { type JsonSchema, s } from "@haft/core";

const EFFECTS = ["allow", "ask", "deny"] as const;

/** One rule of a role or of a configuration. */
export const ruleSchema: JsonSchema = s.object({
  effect: s.enum("What the rule says; of several that match the strictest wins", EFFECTS),
  tool: s.optional(s.string("Only this tool, by its canonical name", { minLength: 1 })),
  category: s.optional(s.string("Only tools of this category", { minLength: 1 })),
  permission: s.optional(s.string("Only tools that hold this permission", { minLength: 1 })),
  when: s.optional(
    s.object(
      {
        path: s.optional(s.string("A glob for the paths a call touches", { minLength: 1, maxLength: 1024 })),
        argument: s.optional(
          s.object({
            name: s.string("An argument of the tool", { minLength: 1 }),
            oneOf: s.array("The values it must have one of", s.json("A value")),
          }),
        ),
      },
      "All that is given must match",
    ),
  ),
  reason: s.optional(s.string("Told to people and models")),
});

/** A role as a host writes it, in a configuration or in a file of its own. */
export const roleSchema: JsonSchema = s.object({
  name: s.string("What the role is called", { minLength: 1, maxLength: 64 }),
  permissions: s.array(
    "What it holds",
    s.string("A permission, or a package's own as x-…", {
      pattern: "^(ReadFiles|WriteFiles|CreateFiles|DeleteFiles|ExecuteCommands|RunCode|NetworkAccess|x-.+)$",
    }),
  ),
  tools: s.optional(s.array("Only these tools, by canonical name", s.string("A tool", { minLength: 1 }))),
  rules: s.optional(s.array("Rules beside those of the configuration", ruleSchema)),
});

/** The same in a file, which may name this schema. */
export const roleFileSchema: JsonSchema = {
  ...roleSchema,
  properties: { $schema: { type: "string" }, ...(roleSchema.properties as object) },
};
