import { type JsonSchema, s } from "@haft/core";
import { roleSchema, ruleSchema } from "../roles/role-schema.js";
import { SANDBOX_TIERS } from "../sandbox/sandbox-limits.js";

/** The levels that model providers use. */
const EFFORTS = ["none", "minimal", "low", "medium", "high", "xhigh", "max"] as const;
const ON_UNLISTED = ["deny", "ask"] as const;

const strings = (description: string, item: string) =>
  s.optional(s.array(description, s.string(item, { minLength: 1, maxLength: 4096 })));

const count = (description: string, minimum = 1) => s.optional(s.integer(description, { minimum }));

/** What an editor shows at the key of an object. */
const described = <S extends object>(description: string, schema: S): S => ({ ...schema, description });

const commands = s.object({
  allow: strings("Argv prefixes that may run, added to the default list", "Such as cargo test"),
  allowOnly: strings("Argv prefixes that may run, in place of the default list", "Such as git status"),
  env: s.optional(
    s.array(
      "Assignments allowed before a command",
      s.string("A variable's name", { pattern: "^[A-Za-z_][A-Za-z0-9_]*$", maxLength: 4096 }),
    ),
  ),
  onUnlisted: s.optional(
    s.enum(
      "What happens to a command that is not listed: run it in the box and ask about its changes, ask first, or refuse it",
      ["box", "ask", "deny"],
    ),
  ),
});

const web = s.object({
  origins: strings("Exact origins, the only way to allow a literal or private address", "An origin"),
  hosts: strings(
    'Host names; "*." means any name below it; "https://example.com/docs" that page and all below it',
    "A host",
  ),
  ports: s.optional(
    s.array("Ports that may be reached", s.integer("A port", { minimum: 1, maximum: 65535 })),
  ),
  onUnlisted: s.optional(s.enum("What happens to an address that is not listed", ON_UNLISTED)),
  search: s.optional(
    described(
      "Where web_search sends its queries",
      s.object({
        provider: s.string("searxng, brave, or one that the host registers", { minLength: 1 }),
        url: s.optional(s.string("Its address, which may be private")),
        apiKeyEnv: s.optional(
          s.string("The environment variable that holds its key; default HAFT_SEARCH_API_KEY", {
            minLength: 1,
          }),
        ),
      }),
    ),
  ),
});

const sandbox = s.object({
  tier: s.optional(s.enum("The sandbox back end; auto is the first that works", SANDBOX_TIERS)),
  memoryMb: count("Maximum memory of one run, in MB"),
  processes: count("Maximum number of processes of one run"),
  cpuSeconds: count("Maximum processor time of one run, in seconds"),
  fileSizeMb: count("Maximum size of a file that a run writes, in MB"),
  outputBytes: count("Maximum output that is kept of one run, in bytes"),
  boxes: count("How many run at once; further calls wait; default 8"),
});

const limits = s.object({
  grepFileBytes: count("Files with more bytes are not searched"),
  grepFileMs: count("Time limit of one file, in milliseconds"),
  callMs: count("Time limit of a call whose tool sets none, in milliseconds; default 30000"),
  maxDepth: count("How deep folders are searched"),
  readBytes: count("Maximum size of one read, in bytes"),
});

const paths = s.object({
  sensitive: strings("Added to the files that are never opened", "A glob"),
  protected: strings("Added to the files whose changes always need approval", "A glob"),
});

const mcpServer = s.object({
  command: s.optional(
    s.string("The program to start; it speaks MCP on its standard input and output", { minLength: 1 }),
  ),
  args: s.optional(s.array("Its arguments", s.string("An argument", { maxLength: 65_536 }))),
  env: s.optional(
    s.record(
      `Environment variables, in addition to PATH, HOME and similar; \${NAME} is replaced from Haft's environment`,
      s.string("A value", { maxLength: 65_536 }),
    ),
  ),
  cwd: s.optional(
    s.string("The folder to start it in, relative to this file; default: the folder of this file", {
      minLength: 1,
    }),
  ),
  url: s.optional(s.string("Instead of a command: the server's HTTP address", { minLength: 1 })),
  headers: s.optional(
    s.record(
      `Headers to send to the url; \${NAME} is replaced from Haft's environment`,
      s.string("A value", { maxLength: 65_536 }),
    ),
  ),
  tools: strings("Offer only these tools, by the server's names", "A tool's name"),
  timeoutMs: count("Timeout of its start and of one call; default 60000"),
});

const run = s.object({
  maxSteps: count("Model turns of one run; default 30"),
  maxMinutes: count("Active minutes of one run; default 15"),
  maxTokens: count("Input and output tokens of one run"),
  maxCost: s.optional(s.number("Dollars of one run; needs prices", { minimum: 0 })),
  retryMinutes: count("How long to retry a failing model; default 10", 0),
});

const secretShape = s.object({
  name: s.string("Name for the placeholder", { pattern: "^[a-z0-9-]{1,40}$" }),
  prefix: s.string("How it begins", { minLength: 3, maxLength: 64, pattern: "^\\S+$" }),
  minLength: s.integer("Minimum length after the prefix", { minimum: 8, maximum: 1024 }),
  maxLength: s.optional(s.integer("Maximum length after the prefix", { minimum: 8, maximum: 4096 })),
});

/** The JSON Schema of `haft.config.*`. `haft.config.schema.json` beside this file is the same, for editors. */
export const configSchema: JsonSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "Configuration of Haft",
  ...s.object({
    $schema: s.optional(s.string("Where this schema is, for editors")),
    role: s.optional(
      s.anyOf("The permissions and rules of the agent", [
        s.string("A built-in role or the path of a role file", { minLength: 1 }),
        roleSchema,
      ]),
    ),
    packs: strings("Packages whose tools are offered", "An npm package"),
    containPacks: s.optional(
      s.boolean("Runs the tools of third-party packs in separate processes, which can be stopped"),
    ),
    readBeforeWrite: s.optional(
      s.enum("Whether a file must be read before it is overwritten", ["enforce", "approve", "off"]),
    ),
    commands: s.optional(described("Which commands run, and what happens to the others", commands)),
    web: s.optional(described("Which addresses the web tools reach", web)),
    sandbox: s.optional(described("The back end and the limits of the sandbox", sandbox)),
    limits: s.optional(described("Limits of single calls", limits)),
    paths: s.optional(
      described("Files that are closed or guarded, in addition to the built-in lists", paths),
    ),
    packConfig: s.optional(s.record("Sections that packs declare, by name", s.json("A section of a pack"))),
    approvals: s.optional(
      described(
        "How questions are asked",
        s.object({ timeoutMs: count("How long a call waits for an answer; default 300000") }),
      ),
    ),
    rules: s.optional(s.array("Rules for every role; the strictest that matches wins", ruleSchema)),
    roles: strings("Names of further roles that rules may apply to", "The name of a role"),
    tools: s.optional(
      described(
        "Which tools of the packs are offered",
        s.object({ disabled: strings("Tools that are not offered", "A tool's name") }),
      ),
    ),
    model: s.optional(
      s.string("The model of haft run and the console; keys stay in the environment", { minLength: 1 }),
    ),
    baseUrl: s.optional(s.string("The OpenAI-compatible server of the model", { minLength: 1 })),
    effort: s.optional(s.enum("How hard the model thinks", EFFORTS)),
    contextTokens: count("The model's context window in tokens"),
    prices: s.optional(
      described(
        "What the model costs, for the cost of a run",
        s.object({
          inputPerMillion: s.number("Dollars for a million input tokens", { minimum: 0 }),
          outputPerMillion: s.number("Dollars for a million output tokens", { minimum: 0 }),
        }),
      ),
    ),
    run: s.optional(described("The limits of one run; reaching one asks whether to continue", run)),
    mcpServers: s.optional(s.record("MCP servers whose tools are offered, by name", mcpServer)),
    secretShapes: s.optional(
      s.array("Shapes of the host's own credentials, redacted in output", secretShape, { maxItems: 200 }),
    ),
    knownSecrets: s.optional(
      s.array(
        "Values that never leave the runtime",
        s.string("A secret", { minLength: 4, maxLength: 65_536 }),
        { maxItems: 1000 },
      ),
    ),
  }),
};
