import { type JsonSchema, s } from "@haft/core";
import { roleSchema, ruleSchema } from "../roles/role-schema.js";
import { SANDBOX_TIERS } from "../sandbox/sandbox-limits.js";

const ON_UNLISTED = ["deny", "ask"] as const;

const strings = (description: string, item: string) =>
  s.optional(s.array(description, s.string(item, { minLength: 1, maxLength: 4096 })));

const count = (description: string, minimum = 1) => s.optional(s.integer(description, { minimum }));

const commands = s.object({
  allow: strings("Argv prefixes that may run; given, it replaces the default list", "Such as git status"),
  env: strings("Assignments allowed before a command", "A variable's name"),
  onUnlisted: s.optional(s.enum("What happens to a command that is not listed", ON_UNLISTED)),
});

const web = s.object({
  origins: strings("Exact origins, the only way to allow a literal or private address", "An origin"),
  hosts: strings(
    'Host names; "*." means any name below it; "https://example.com/docs" what is at or below that',
    "A host",
  ),
  ports: s.optional(
    s.array("Ports that may be reached", s.integer("A port", { minimum: 1, maximum: 65535 })),
  ),
  onUnlisted: s.optional(s.enum("What happens to an address that is not listed", ON_UNLISTED)),
  search: s.optional(
    s.object({
      provider: s.string("The search provider", { minLength: 1 }),
      url: s.optional(s.string("Where it is reached")),
      apiKeyEnv: s.optional(s.string("The variable of the environment that holds its key", { minLength: 1 })),
    }),
  ),
});

const sandbox = s.object({
  tier: s.optional(s.enum("The sandbox back end; auto is the first that works", SANDBOX_TIERS)),
  memoryMb: count("Memory of one run"),
  processes: count("Processes of one run"),
  cpuSeconds: count("Processor time of one run"),
  fileSizeMb: count("The largest file a run may write"),
  outputBytes: count("Output that is kept of a run"),
});

const limits = s.object({
  grepFileBytes: count("Files larger than this are not searched"),
  grepFileMs: count("Time spent on one file"),
  callMs: count("Active time of one call whose tool sets none of its own; default 30000"),
  maxDepth: count("How deep folders are searched"),
  readBytes: count("The most one read returns"),
});

const paths = s.object({
  sensitive: strings("Added to the files that are never opened", "A glob"),
  protected: strings("Added to the files whose change always asks", "A glob"),
});

const mcpServer = s.object({
  command: s.optional(
    s.string("The program to start; it speaks MCP on its standard input and output", { minLength: 1 }),
  ),
  args: s.optional(s.array("Its arguments", s.string("An argument", { maxLength: 65_536 }))),
  env: s.optional(
    s.record(
      `All it gets of an environment beside PATH, HOME and the like; \${NAME} is taken from ours`,
      s.string("A value", { maxLength: 65_536 }),
    ),
  ),
  cwd: s.optional(
    s.string("Where it is started, relative to this file; default: beside it", { minLength: 1 }),
  ),
  url: s.optional(s.string("Instead of a command: where it is reached over HTTP", { minLength: 1 })),
  headers: s.optional(
    s.record(
      `What is sent along to the url; \${NAME} is taken from our environment`,
      s.string("A value", { maxLength: 65_536 }),
    ),
  ),
  tools: strings("Only these of its tools, by its own names", "A tool's name"),
  timeoutMs: count("For its start, and for one call; default 60000"),
});

/** `haft.config.*` as a JSON Schema; `haft.config.schema.json` beside this file is the same, for editors. */
export const configSchema: JsonSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "Configuration of Haft",
  ...s.object({
    $schema: s.optional(s.string("Where this schema is, for editors")),
    role: s.optional(
      s.anyOf("What the agent is trusted with", [
        s.string("A built-in role or the path of a role file", { minLength: 1 }),
        roleSchema,
      ]),
    ),
    packs: strings("Packages whose tools are offered", "An npm package"),
    readBeforeWrite: s.optional(
      s.enum("Whether a file must be read before it is overwritten", ["enforce", "approve", "off"]),
    ),
    commands: s.optional(commands),
    web: s.optional(web),
    sandbox: s.optional(sandbox),
    limits: s.optional(limits),
    paths: s.optional(paths),
    approvals: s.optional(s.object({ timeoutMs: count("How long a call waits for an answer") })),
    rules: s.optional(s.array("Rules for every role; the strictest that matches wins", ruleSchema)),
    tools: s.optional(s.object({ disabled: strings("Tools that are switched off", "A tool's name") })),
    mcpServers: s.optional(s.record("MCP servers whose tools are offered, by name", mcpServer)),
    knownSecrets: s.optional(
      s.array(
        "Values that never leave the runtime",
        s.string("A secret", { minLength: 4, maxLength: 65_536 }),
        { maxItems: 1000 },
      ),
    ),
  }),
};
