import type { CommandHost } from "@haft/core/capabilities";
import type { CommandDecision } from "../command-policy/decide-command.js";
import type { ExecuteCommandArgs } from "./execute-command-schema.js";

/** Returns the verdict on a command that requests host ports. It always asks, because it opens the box. */
export async function judgePorts(
  { ports = [] }: Pick<ExecuteCommandArgs, "ports">,
  decision: CommandDecision,
  { host }: { readonly host: CommandHost },
): Promise<CommandDecision> {
  // Without a box, the command listens on the host directly, and was judged for that.
  if (ports.length === 0 || decision.verdict === "deny" || !(await host.hasBox())) return decision;
  const addresses = [...new Set(ports)].map((port) => `127.0.0.1:${port}`).join(", ");
  const reason = `it requests ports of this machine: local programs could connect to ${addresses} and reach servers in the box`;
  if (!host.canAsk()) {
    const { offending, suggestion } = decision;
    const refused = `${reason}. That needs an approver, and none is attached`;
    return { verdict: "deny", reason: refused, offending, ...(suggestion !== undefined && { suggestion }) };
  }
  const both =
    decision.network === undefined || decision.verdict !== "ask" ? reason : `${decision.reason}; ${reason}`;
  return { ...decision, verdict: "ask", reason: both };
}
