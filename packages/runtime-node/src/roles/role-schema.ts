import { type JsonSchema, s } from "@haft/core";

const EFFECTS = ["allow", "ask", "deny"] as const;
const CHANGES = ["create", "modify", "delete", "move"] as const;

const pattern = (description: string) => s.string(description, { minLength: 1, maxLength: 1024 });
const oneOrMore = (description: string, item: JsonSchema) =>
  s.anyOf(description, [item, s.array("Several", item, { minItems: 1 })]);

const words = s.array("The first words of a command", s.string("A word", { minLength: 1 }), { minItems: 1 });
const patterns = oneOrMore("Globs, relative to the workspace", pattern("A glob"));
const argument = s.object({
  name: s.string("An argument of the tool", { minLength: 1 }),
  oneOf: s.array("The values it may have", s.json("A value")),
});

const operand = s.object({
  path: pattern("A file"),
  digest: s.optional(s.string("Digest of its content; omitted if the file must not exist", { minLength: 1 })),
});

const condition = s.object(
  {
    path: s.optional(
      s.anyOf("The paths a call touches; it holds where a file is opened", [
        patterns,
        s.object({
          only: s.optional(patterns),
          not: s.optional(patterns),
        }),
      ]),
    ),
    command: s.optional(
      s.anyOf('Argv prefixes such as ["git", "push"], compared with the parsed command', [
        words,
        s.array("Several", words, { minItems: 1 }),
      ]),
    ),
    url: s.optional(
      oneOrMore(
        '"example.com", "*.example.com" or "https://example.com/docs"',
        pattern("An address pattern"),
      ),
    ),
    argument: s.optional(oneOrMore("Arguments and their values", argument)),
    change: s.optional(oneOrMore("Kinds of change", s.enum("A kind of change", CHANGES))),
    operands: s.optional(
      s.array(
        "The files a call depends on, with the digest of their content; only for rules that allow",
        operand,
        {
          minItems: 1,
        },
      ),
    ),
    exactly: s.optional(
      s.array(
        "Complete arguments; the call must have one of these",
        s.record("Arguments by name", s.json("A value")),
      ),
    ),
  },
  "All conditions must match",
);

const example = s.object({
  tool: s.optional(s.string("A tool", { minLength: 1 })),
  path: s.optional(oneOrMore("Paths the call touches", pattern("A path"))),
  command: s.optional(s.anyOf("The words of a command, or of several", [words, s.array("Several", words)])),
  url: s.optional(pattern("An address")),
  arguments: s.optional(s.record("Arguments by name", s.json("A value"))),
});

/** One rule of a role or of a configuration. */
export const ruleSchema: JsonSchema = s.object({
  effect: s.enum("The effect of the rule; if several rules match, the strictest wins", EFFECTS),
  tool: s.optional(s.string("Only this tool, by its canonical name", { minLength: 1 })),
  category: s.optional(s.string("Only tools of this category", { minLength: 1 })),
  permission: s.optional(s.string("Only tools that need this permission", { minLength: 1 })),
  role: s.optional(s.string("Only calls of this role", { minLength: 1 })),
  when: s.optional(condition),
  reason: s.optional(s.string("Shown to people and models")),
  matches: s.optional(s.array("Calls that the rule must match, checked at load", example)),
  doesNotMatch: s.optional(s.array("Calls that the rule must not match, checked at load", example)),
});

/** Names stand in questions and reports, where a line break could begin a line of its own. */
const ONE_LINE = "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]+$";

/** A role in a configuration or in a role file. */
export const roleSchema: JsonSchema = s.object({
  name: s.string("The name of the role, on one line", { minLength: 1, maxLength: 64, pattern: ONE_LINE }),
  permissions: s.array(
    "What it holds",
    s.string("A permission, or a package's own as x-…", {
      pattern: "^(ReadFiles|WriteFiles|CreateFiles|DeleteFiles|ExecuteCommands|RunCode|NetworkAccess|x-.+)$",
    }),
  ),
  tools: s.optional(s.array("Only these tools, by canonical name", s.string("A tool", { minLength: 1 }))),
  rules: s.optional(s.array("Rules in addition to those of the configuration", ruleSchema)),
});

/**
 * The schema of a role file, which may name its schema. `haft.role.schema.json` beside this file is the same, for
 * editors.
 */
export const roleFileSchema: JsonSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "A role of Haft",
  ...roleSchema,
  properties: { $schema: { type: "string" }, ...(roleSchema.properties as object) },
};
