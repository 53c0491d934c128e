import { COMMAND_HOST, type CommandHost, token } from "@haft/core";
import { type CommandPolicy, createCommandPolicy } from "../command-policy/command-policy.js";

/** The `commands` of a configuration file, as a runtime hands them on. */
export interface CommandsConfig {
  readonly allow?: readonly string[];
  readonly env?: readonly string[];
  readonly onUnlisted?: "deny" | "ask";
}

export const COMMANDS_CONFIG = token<CommandsConfig>("config.commands", () => ({}));

/** Makes the policy of a runtime once, and again when the scripts it may run have changed. */
export class CommandPolicies {
  readonly #config: CommandsConfig;
  readonly #host: CommandHost;
  #made: { readonly key: string; readonly policy: CommandPolicy } | undefined;

  constructor(config: CommandsConfig, host: CommandHost) {
    this.#config = config;
    this.#host = host;
  }

  policy(): CommandPolicy {
    const config = this.#config;
    const host = this.#host;
    const scripts = config.allow === undefined ? host.scripts() : [];
    const key = scripts.join("\n");
    if (this.#made?.key !== key) {
      const checkPath = (path: string, cwd: string) => host.judgePath(path, cwd);
      const named = scripts.length === 0 ? {} : { scripts };
      this.#made = { key, policy: createCommandPolicy({ ...config, ...named, checkPath }) };
    }
    return this.#made.policy;
  }
}

export const COMMAND_POLICIES = token<CommandPolicies>(
  "command-policies",
  (service) => new CommandPolicies(service(COMMANDS_CONFIG), service(COMMAND_HOST)),
);
