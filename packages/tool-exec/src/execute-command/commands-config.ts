import { token } from "@haft/core";
import { COMMAND_HOST, type CommandHost } from "@haft/core/capabilities";
import {
  type CommandPolicy,
  createCommandPolicy,
  type OnUnlisted,
} from "../command-policy/command-policy.js";

/** The `commands` section of a configuration, as the runtime passes it on. */
export interface CommandsConfig {
  /** Argv prefixes, added to the list. */
  readonly allow?: readonly string[];
  /** Argv prefixes that replace the default list. */
  readonly allowOnly?: readonly string[];
  /** Argv prefixes that restrict the list to what they cover. */
  readonly within?: readonly string[];
  readonly env?: readonly string[];
  readonly onUnlisted?: OnUnlisted;
}

export const COMMANDS_CONFIG = token<CommandsConfig>("config.commands", () => ({}));

/** Creates the policy of a runtime, and again after the allowed scripts have changed. */
export class CommandPolicies {
  readonly #config: CommandsConfig;
  readonly #host: CommandHost;
  #made: { readonly key: string; readonly policy: CommandPolicy } | undefined;

  constructor(config: CommandsConfig, host: CommandHost) {
    this.#config = config;
    this.#host = host;
  }

  policy(hasBox: boolean): CommandPolicy {
    const config = this.#config;
    const host = this.#host;
    const scripts = config.allowOnly === undefined ? Object.keys(host.scripts()) : [];
    const onUnlisted = settled(config.onUnlisted, host.canAsk(), hasBox);
    const key = [onUnlisted, ...scripts].join("\n");
    if (this.#made?.key !== key) {
      const checkPath = (path: string, cwd: string) => host.judgePath(path, cwd);
      const named = scripts.length === 0 ? {} : { scripts };
      this.#made = { key, policy: createCommandPolicy({ ...config, ...named, onUnlisted, checkPath }) };
    }
    return this.#made.policy;
  }
}

/** Resolves "box" on this machine: "ask" without a box, "deny" without an approver. */
function settled(setting: OnUnlisted = "deny", canAsk: boolean, hasBox: boolean): OnUnlisted {
  if (setting !== "box") return setting;
  if (!canAsk) return "deny";
  return hasBox ? "box" : "ask";
}

export const COMMAND_POLICIES = token<CommandPolicies>(
  "command-policies",
  (service) => new CommandPolicies(service(COMMANDS_CONFIG), service(COMMAND_HOST)),
);
