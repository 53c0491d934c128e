import type { PolicyRule, Role } from "@haft/core";
import type { ReadBeforeWrite } from "@haft/core/kernel";
import type { SandboxTier } from "../sandbox/sandbox-limits.js";

/**
 * The configuration in `haft.config.{ts,js,json}`. `createNodeRuntime` takes the same object.
 *
 * SECURITY: until a person has trusted its exact content (`haft trust`), a file found in the workspace can only
 * narrow the defaults, and code is not executed. `untrusted-keys.ts` defines the effect of each key until then. Tools
 * can never write it: the workspace guard refuses `haft.config.*` for every role and approval.
 */
export interface HaftConfig {
  /** For editors; used in JSON files. */
  readonly $schema?: string;
  /**
   * A built-in name, a role object, or the path of a role file relative to this configuration. Default "coder". Keep
   * role files in `.haft/` or outside the workspace: tools can write anywhere else.
   */
  readonly role?: string | Role;
  /**
   * Packages whose tools are offered. Default: the first-party packs. Packs run with the host's rights, so
   * third-party packs are imported only for a configuration that a person named or trusts.
   */
  readonly packs?: readonly string[];
  /**
   * Runs the tools of third-party packs in processes of their own: a call that hangs is stopped, and a crash ends only
   * that call. This contains mistakes, not malice: such a process has the rights of its host.
   */
  readonly containPacks?: boolean;
  /** Whether a file must be read before it is overwritten. Default "enforce". */
  readonly readBeforeWrite?: ReadBeforeWrite;
  readonly commands?: CommandsConfig;
  readonly web?: WebConfig;
  readonly sandbox?: SandboxConfig;
  readonly limits?: LimitsConfig;
  readonly paths?: PathsConfig;
  /** Sections that packs declare with `configSection`, by name. */
  readonly packConfig?: Readonly<Record<string, unknown>>;
  readonly approvals?: ApprovalsConfig;
  /** Rules for every role. If several rules match a call, the strictest wins. */
  readonly rules?: readonly PolicyRule[];
  /** Names of further roles that rules may apply to: those of role files that are used with `--role`. */
  readonly roles?: readonly string[];
  readonly tools?: { readonly disabled?: readonly string[] };
  /**
   * Other MCP servers. The command offers their tools as NAME_TOOL to roles with NetworkAccess, and asks about each
   * call unless a rule allows it. Servers run with the host's rights, so an untrusted configuration cannot start or
   * reach one.
   */
  readonly mcpServers?: Readonly<Record<string, McpServerConfig>>;
  /**
   * The model for `haft run` and the console, such as "gpt-5" or "anthropic/claude-sonnet-5-5". Keys stay in the
   * environment.
   */
  readonly model?: string;
  /** The OpenAI-compatible server of the model. The key in the environment is sent there. */
  readonly baseUrl?: string;
  /** The reasoning effort, in the provider's terms: "none", "minimal", "low", "medium", "high", "xhigh" or "max". */
  readonly effort?: string;
  /** The model's context window in tokens. A run compacts before it is full. */
  readonly contextTokens?: number;
  /** The price of the model, in dollars per million tokens. */
  readonly prices?: PricesConfig;
  readonly run?: RunConfig;
  /** Values redacted from every result, error, event and approval. At least 4 characters each. */
  readonly knownSecrets?: readonly string[];
  /** Shapes of the host's own credentials, redacted wherever the published shapes are. */
  readonly secretShapes?: readonly SecretShapeConfig[];
}

/** A credential that begins with a fixed text: `{ "name": "acme", "prefix": "acme_", "minLength": 32 }`. */
export interface SecretShapeConfig {
  /** The NAME in the placeholder `[secret:NAME]`. */
  readonly name: string;
  readonly prefix: string;
  /** How many characters follow the prefix: letters, digits and `_-.~+/=`. */
  readonly minLength: number;
  /** Default: 256. */
  readonly maxLength?: number;
}

export interface CommandsConfig {
  /** Argv prefixes, added to the default list. */
  readonly allow?: readonly string[];
  /** Argv prefixes that replace the default list. With `allow`, both lists apply. */
  readonly allowOnly?: readonly string[];
  /**
   * Argv prefixes that reduce the list to what they cover. Set for an untrusted `allowOnly`; a file cannot set it.
   */
  readonly within?: readonly string[];
  /** Names of assignments allowed before a command. */
  readonly env?: readonly string[];
  /**
   * The handling of an unlisted command: "box" runs it confined and asks about its changes, "ask" asks before it
   * runs, "deny" (the default) refuses it.
   */
  readonly onUnlisted?: "box" | "ask" | "deny";
}

export interface WebConfig {
  /** Exact origins, the only way to allow a literal or private address. */
  readonly origins?: readonly string[];
  /**
   * Host names. "*." matches any subdomain; "https://example.com/docs" matches that address and everything below it.
   */
  readonly hosts?: readonly string[];
  readonly ports?: readonly number[];
  readonly onUnlisted?: "deny" | "ask";
  readonly search?: SearchConfig;
}

export interface SearchConfig {
  /** "searxng", "brave", or the name of a provider that the host registers. */
  readonly provider: string;
  /** The provider's address, which may be private; only searches are sent there. */
  readonly url?: string;
  /** The environment variable that holds the key. Default HAFT_SEARCH_API_KEY. */
  readonly apiKeyEnv?: string;
}

export interface SandboxConfig {
  /**
   * "auto" (the default) uses the first that works: bubblewrap, then portable, then none. "unconfined" runs code with
   * the user's rights and asks about every call.
   */
  readonly tier?: SandboxTier;
  readonly memoryMb?: number;
  readonly processes?: number;
  readonly cpuSeconds?: number;
  readonly fileSizeMb?: number;
  readonly outputBytes?: number;
  /** The number of boxes that run at once; further calls wait. Default 8. */
  readonly boxes?: number;
}

export interface LimitsConfig {
  readonly grepFileBytes?: number;
  readonly grepFileMs?: number;
  /** The time limit of a call whose tool sets none. Default 30 seconds. */
  readonly callMs?: number;
  readonly maxDepth?: number;
  readonly readBytes?: number;
}

export interface PathsConfig {
  /** Globs added to the built-in list of files that are never opened. */
  readonly sensitive?: readonly string[];
  /** Globs added to the built-in list of files whose change always needs approval. */
  readonly protected?: readonly string[];
}

/** Either a server to start (`command`) or one to connect to (`url`). */
export interface McpServerConfig {
  readonly command?: string;
  readonly args?: readonly string[];
  /** The server's environment beside PATH, HOME and similar. `${NAME}` is replaced from the host's environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Relative to this configuration. Default: its folder. */
  readonly cwd?: string;
  readonly url?: string;
  /** `${NAME}` is replaced from the host's environment. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Offers only these of the server's tools, by the server's names. */
  readonly tools?: readonly string[];
  /** For its start, and for each call. Default 60 seconds. */
  readonly timeoutMs?: number;
}

interface PricesConfig {
  readonly inputPerMillion: number;
  readonly outputPerMillion: number;
}

/** The limits of one run. Reaching one asks whether to continue. */
interface RunConfig {
  /** Default 30. */
  readonly maxSteps?: number;
  /** Active time, without waiting for people. Default 15. */
  readonly maxMinutes?: number;
  /** Input and output tokens together. */
  readonly maxTokens?: number;
  /** In dollars; needs `prices`. */
  readonly maxCost?: number;
  /** How long to retry a failing model. Default 10. */
  readonly retryMinutes?: number;
}

export interface ApprovalsConfig {
  /** How long a call waits for an answer. Default 5 minutes. */
  readonly timeoutMs?: number;
}

/** Returns the configuration, typed: `export default defineConfig({ role: "reader" })`. */
export function defineConfig(config: HaftConfig): HaftConfig {
  return config;
}
