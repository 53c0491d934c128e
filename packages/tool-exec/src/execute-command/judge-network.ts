import type { CommandHost, UrlPolicy } from "@haft/core/capabilities";
import type { CommandDecision } from "../command-policy/decide-command.js";
import {
  hostsIn,
  type NetworkGrant,
  type NetworkNeed,
  networkNeedOf,
} from "../command-policy/network-needs.js";
import { commandsRunBy } from "./command-facts.js";
import type { ExecuteCommandArgs } from "./execute-command-schema.js";

interface NetworkJudging {
  readonly host: CommandHost;
  readonly hasBox: boolean;
  readonly urls: UrlPolicy;
}

/**
 * Returns the verdict on a command that needs network. Only an installation from the user's own registry needs no
 * approval.
 */
export async function judgeNetwork(
  args: Pick<ExecuteCommandArgs, "command" | "cwd" | "network">,
  decision: CommandDecision,
  judging: NetworkJudging,
): Promise<CommandDecision> {
  const { host, hasBox } = judging;
  const needs = needsOf(args);
  // Without a box there is no network to add: listed commands run as always.
  if (needs === undefined || decision.verdict === "deny" || !hasBox) return decision;
  const network = await grantFor(needs, args.cwd, judging);
  const refused = network.hosts.map((name) => judging.urls.judge(`https://${name}/`));
  const refusal = refused.find(({ verdict }) => verdict === "refused");
  if (refusal !== undefined) return denied(decision, `it needs network, and ${refusal.because}`);
  const isOwn = needs.every((need) => need.isInstallation) && args.network !== true;
  if (isOwn && decision.verdict === "allow" && network.hosts.length === 0) return { ...decision, network };
  const reason = `it needs network: ${describe(network, judging)}`;
  if (!host.canAsk()) return denied(decision, `${reason}. That needs an approver, and none is attached`);
  return { ...decision, verdict: "ask", reason, network };
}

function needsOf({
  command,
  network,
}: Pick<ExecuteCommandArgs, "command" | "network">): readonly NetworkNeed[] | undefined {
  const commands = commandsRunBy(command);
  const needs = commands.flatMap(({ argv }) => networkNeedOf(argv) ?? []);
  if (network !== true) return needs.length === 0 ? undefined : needs;
  const words = commands.flatMap(({ argv }) => argv.filter((word) => word !== null));
  const asked = { hosts: hostsIn(words), remotes: false, isInstallation: false };
  return [...needs, { ...asked, registry: commands.some(({ argv }) => usesRegistry.has(argv[0] ?? "")) }];
}

const usesRegistry: ReadonlySet<string> = new Set(["npm", "npx", "pnpm", "yarn", "bun", "bunx", "node"]);

/** Builds the grant. A registry that only the workspace names is treated like any other host. */
async function grantFor(
  needs: readonly NetworkNeed[],
  cwd: string,
  { host }: NetworkJudging,
): Promise<NetworkGrant> {
  const registry = needs.some((need) => need.registry);
  const remotes = needs.some((need) => need.remotes) ? await host.gitRemoteHosts(cwd) : [];
  const foreign = registry ? host.npmRegistries().filter(({ isTrusted }) => !isTrusted) : [];
  const named = foreign.map((each) => each.host.replace(/:\d+$/, ""));
  return { registry, hosts: [...new Set([...needs.flatMap(({ hosts }) => hosts), ...remotes, ...named])] };
}

/** Describes exactly what the grant allows. */
function describe({ hosts, registry }: NetworkGrant, { host }: NetworkJudging): string {
  const own = host.npmRegistries().filter(({ isTrusted }) => isTrusted);
  const registries = registry ? own.map((each) => `the npm registry ${each.host} (read only)`) : [];
  const reached = [...new Set([...registries, ...hosts]), "the hosts that web.hosts and web.origins list"];
  return `through a proxy it could reach ${reached.join(", ")}, and nothing else`;
}

function denied({ offending, suggestion }: CommandDecision, reason: string): CommandDecision {
  return { verdict: "deny", reason, offending, ...(suggestion !== undefined && { suggestion }) };
}
