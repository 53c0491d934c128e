import type {
  AnyToolClass,
  Approver,
  Capabilities,
  DialectName,
  PlainTool,
  ProvidedService,
  Redact,
  RuntimeStores,
} from "@haft/core";
import type { PolicyParts } from "@haft/core/policy";
import type { HaftConfig } from "./config/haft-config.js";
import type { Lookup } from "./network/resolve-host.js";
import type { Environment } from "./secrets/scrubbed-environment.js";

/** The configuration of a file, plus options that a file cannot hold. `@haft/mcp/client` mounts other MCP servers. */
export interface NodeRuntimeOptions
  extends Omit<HaftConfig, "tools" | "mcpServers" | "rules" | "roles">,
    PolicyParts {
  /** The folder that the tools work in. It must exist. */
  readonly workspace: string;
  /** Exactly these tools, or a configuration's switches. Default: every tool that the process has imported. */
  readonly tools?: readonly (AnyToolClass | PlainTool)[] | HaftConfig["tools"];
  readonly disabledTools?: readonly string[];
  /**
   * Where `packs` are imported from: a module's URL (`import.meta.url`) or a directory. Default: the main program,
   * then the installation of this package; never the workspace.
   */
  readonly packsFrom?: string | URL;
  /**
   * True: a role or rule that names an unknown tool is an error. False: only a name similar to that of a tool is.
   * Default: a rule must name an imported tool; a list of tools may name others.
   */
  readonly isComplete?: boolean;
  /** Returns whether a tool of this name will be added later, so that a role or rule may already name it. */
  isAddedLater?(name: string): boolean;
  readonly dialect?: DialectName;
  /** Asked when a call needs approval. Without it, and without `decidable`, such a call is refused. */
  readonly approver?: Approver;
  /** Whether calls wait for an answer through `decide`. */
  readonly decidable?: boolean;
  readonly services?: readonly ProvidedService[];
  /** Resolves host names for the web tools. Default: Node's `dns.lookup`. */
  readonly lookup?: Lookup;
  /** What calls may reach beyond files. Default: this machine's processes and network. */
  readonly capabilities?: Capabilities;
  /** The folder for journal, approvals and grants, outside the workspace. Default: below XDG_STATE_HOME of `env`. */
  readonly stateDirectory?: string;
  /** Stores that replace the files in the state directory. */
  readonly stores?: Partial<RuntimeStores>;
  /**
   * "idle" prepares for searches while no call runs: it starts threads, lists the workspace and reads its files once,
   * on one core and in less than 100 MB. A call interrupts that at once. Default "off".
   */
  readonly warm?: "idle" | "off";
  /** Whether the runtime's model accepts images. */
  readonly acceptsImages?: boolean;
  /** Runs after the built-in redaction of known secrets. */
  readonly redact?: Redact;
  /**
   * The environment: it contains the secrets to redact, children get a part of it, and it locates the state folder.
   * Default: the process's.
   */
  readonly env?: Environment;
}
