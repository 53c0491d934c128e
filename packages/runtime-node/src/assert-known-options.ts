import { nearestNames } from "@haft/text";
import { ConfigError } from "./config/config-error.js";
import type { NodeRuntimeOptions } from "./node-runtime-options.js";

/**
 * Throws CONFIG_INVALID for an option whose name is nearly that of another: a host in JavaScript that writes `polices`
 * would otherwise run without its policies. Other unknown keys are ignored, because hosts pass larger objects.
 */
export function assertKnownOptions(given: NodeRuntimeOptions): void {
  for (const name of Object.keys(given)) {
    if (Object.hasOwn(OPTIONS, name) || name === "mcpServers") continue;
    const [nearest] = nearestNames(name, Object.keys(OPTIONS), 1);
    if (nearest === undefined) continue;
    throw new ConfigError("CONFIG_INVALID", `There is no option called ${JSON.stringify(name)}.`, {
      hint: `Did you mean ${nearest}?`,
    });
  }
}

const OPTIONS: Readonly<Record<keyof NodeRuntimeOptions, true>> = {
  $schema: true,
  acceptsImages: true,
  approvals: true,
  approver: true,
  baseUrl: true,
  capabilities: true,
  commands: true,
  composition: true,
  containPacks: true,
  contextTokens: true,
  decidable: true,
  dialect: true,
  disabledTools: true,
  effort: true,
  env: true,
  guardPolicies: true,
  isAddedLater: true,
  isComplete: true,
  knownSecrets: true,
  limits: true,
  lookup: true,
  model: true,
  packConfig: true,
  packs: true,
  packsFrom: true,
  paths: true,
  policies: true,
  policy: true,
  prices: true,
  readBeforeWrite: true,
  redact: true,
  role: true,
  roles: true,
  rules: true,
  run: true,
  sandbox: true,
  secretShapes: true,
  services: true,
  stateDirectory: true,
  stores: true,
  tools: true,
  warm: true,
  web: true,
  workspace: true,
};
