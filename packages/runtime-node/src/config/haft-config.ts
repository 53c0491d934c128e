import type { PolicyRule, ReadBeforeWrite, Role } from "@haft/core";
import type { SandboxTier } from "../sandbox/sandbox-limits.js";

/**
 * What a host can say in `haft.config.{ts,js,json}`; `createNodeRuntime` takes the same object.
 *
 * SECURITY: a `.ts` or `.js` configuration is code that runs with the host's rights, and it is looked
 * up in the workspace. A JSON file runs nothing by itself, and still decides the role, which commands
 * run unasked and which addresses are reached. For a workspace you do not trust give a configuration
 * of your own with `--config FILE`. Tools can never write it: the workspace guard refuses
 * `haft.config.*` whatever role or approval there is.
 */
export interface HaftConfig {
  /** Named in JSON files, for editors. */
  readonly $schema?: string;
  /**
   * A built-in name, a role object, or the path of a role file, relative to this configuration.
   * Default "coder". Keep role files in `.haft/` or outside the workspace: tools can write any other.
   */
  readonly role?: string | Role;
  /**
   * Packages whose tools are offered. Default: the first-party packs. They run with the host's rights,
   * so the command takes others than first-party ones only from a configuration it was pointed at.
   */
  readonly packs?: readonly string[];
  /** Whether a file must be read before it is overwritten. Default "enforce". */
  readonly readBeforeWrite?: ReadBeforeWrite;
  readonly commands?: CommandsConfig;
  readonly web?: WebConfig;
  readonly sandbox?: SandboxConfig;
  readonly limits?: LimitsConfig;
  readonly paths?: PathsConfig;
  readonly approvals?: ApprovalsConfig;
  /** Rules for every role; of all rules that match a call the strictest wins. */
  readonly rules?: readonly PolicyRule[];
  readonly tools?: { readonly disabled?: readonly string[] };
  /**
   * Other MCP servers, whose tools the command offers as NAME_TOOL: for roles with NetworkAccess, asked about unless a rule
   * allows them. They run with the host's rights, so none is started or reached because of a configuration that was
   * merely found in the workspace.
   */
  readonly mcpServers?: Readonly<Record<string, McpServerConfig>>;
  /** Values that never leave in a result, an error, an event or an approval. At least 4 characters each. */
  readonly knownSecrets?: readonly string[];
}

export interface CommandsConfig {
  /** Argv prefixes; given, it replaces the default list. */
  readonly allow?: readonly string[];
  /** Names of assignments allowed before a command. */
  readonly env?: readonly string[];
  readonly onUnlisted?: "deny" | "ask";
}

export interface WebConfig {
  /** Exact origins, the only way to allow a literal or private address. */
  readonly origins?: readonly string[];
  /** Host names; "*." means any name below it; "https://example.com/docs" what is at or below that address. */
  readonly hosts?: readonly string[];
  readonly ports?: readonly number[];
  readonly onUnlisted?: "deny" | "ask";
  readonly search?: SearchConfig;
}

export interface SearchConfig {
  /** "searxng", "brave", or the name of a provider the host registers. */
  readonly provider: string;
  /** Where it is reached, also at a private address; only searches go there. */
  readonly url?: string;
  /** The variable of the environment that holds its key. Default HAFT_SEARCH_API_KEY. */
  readonly apiKeyEnv?: string;
}

export interface SandboxConfig {
  /** "auto" (the default) is the first that works: bubblewrap, then portable, then none at all. "unconfined" runs code with the user's rights, and asks about every call. */
  readonly tier?: SandboxTier;
  readonly memoryMb?: number;
  readonly processes?: number;
  readonly cpuSeconds?: number;
  readonly fileSizeMb?: number;
  readonly outputBytes?: number;
}

export interface LimitsConfig {
  readonly grepFileBytes?: number;
  readonly grepFileMs?: number;
  /** How long a call may take whose tool sets no time of its own. Default 30 seconds. */
  readonly callMs?: number;
  readonly maxDepth?: number;
  readonly readBytes?: number;
}

export interface PathsConfig {
  /** Globs added to the built-in list of files that are never opened. */
  readonly sensitive?: readonly string[];
  /** Globs added to the built-in list of files whose change always asks. */
  readonly protected?: readonly string[];
}

/** A server to start (`command`), or one to reach (`url`): one of the two. */
export interface McpServerConfig {
  readonly command?: string;
  readonly args?: readonly string[];
  /** All it gets of an environment beside PATH, HOME and the like. `${NAME}` is taken from the host's. */
  readonly env?: Readonly<Record<string, string>>;
  /** Relative to this configuration. Default: the folder it is in. */
  readonly cwd?: string;
  readonly url?: string;
  /** `${NAME}` is taken from the host's environment. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Only these of its tools, by its own names. */
  readonly tools?: readonly string[];
  /** For its start, and for one call. Default 60 seconds. */
  readonly timeoutMs?: number;
}

export interface ApprovalsConfig {
  /** How long a call waits for an answer. Default 5 minutes. */
  readonly timeoutMs?: number;
}

/** The configuration itself, typed: `export default defineConfig({ role: "reader" })`. */
export function defineConfig(config: HaftConfig): HaftConfig {
  return config;
}
