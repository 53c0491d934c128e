import type {
  AnyToolClass,
  ApprovalPolicy,
  Capabilities,
  DialectName,
  PlainTool,
  ProvidedService,
  Redact,
} from "@haft/core";
import type { Approver } from "./approval/approval-response.js";
import type { HaftConfig } from "./config/haft-config.js";
import type { Lookup } from "./network/resolve-host.js";
import type { Environment } from "./secrets/scrubbed-environment.js";

/** The configuration of a file, plus what a file cannot hold. Other MCP servers are mounted by `@haft/mcp/client`. */
export interface NodeRuntimeOptions extends Omit<HaftConfig, "tools" | "mcpServers"> {
  /** The folder the tools work in. It must exist. */
  readonly workspace: string;
  /** The tools themselves (default: all that packs have announced), or a configuration's switches. */
  readonly tools?: readonly (AnyToolClass | PlainTool)[] | HaftConfig["tools"];
  readonly disabledTools?: readonly string[];
  /**
   * Where `packs` are imported from: a module's URL (`import.meta.url`) or a directory. Default: the
   * program that was started, then the installation of this package; never the workspace.
   */
  readonly packsFrom?: string | URL;
  /**
   * No tool is added later, so a role or a rule that names one that is not there is an error. Without
   * it only a name that is nearly that of a tool is.
   */
  readonly isComplete?: boolean;
  /** Whether a tool of this name is added later all the same, so that a role or a rule may name it already. */
  isAddedLater?(name: string): boolean;
  readonly dialect?: DialectName;
  /** Asked when a call needs approval. Without it, and without `decidable`, such a call is refused. */
  readonly approver?: Approver;
  /** Somebody answers through `decide`: calls wait for that. */
  readonly decidable?: boolean;
  /**
   * Instead of the built-in policy. What rules of role and configuration deny or want asked it cannot
   * lift; what they allow counts no more.
   */
  readonly policy?: ApprovalPolicy;
  readonly services?: readonly ProvidedService[];
  /** Resolves host names for the web tools; Node's `dns.lookup` unless given. */
  readonly lookup?: Lookup;
  /** What calls may reach beyond files; processes and network are this machine's unless given. */
  readonly capabilities?: Capabilities;
  /** Where journal, approvals and grants are kept, outside the workspace; default: below XDG_STATE_HOME of `env`. */
  readonly stateDirectory?: string;
  /** Whether the model behind this runtime takes images. */
  readonly acceptsImages?: boolean;
  /** Runs after the built-in redaction of known secrets. */
  readonly redact?: Redact;
  /** The environment secrets are known from, children get a part of, and state is found by. Default: the process's. */
  readonly env?: Environment;
}
