import type { CommandHost } from "@haft/core/capabilities";

/**
 * Returns variables with the identity for commits. The hardening hides the user's configuration, including name and
 * address. A repository that sets both needs none.
 */
export async function gitIdentityIn(
  directory: string,
  host: Pick<CommandHost, "gitKeys" | "gitIdentity">,
): Promise<Readonly<Record<string, string>>> {
  const keys = (await host.gitKeys(directory)) ?? [];
  return keys.includes("user.name") && keys.includes("user.email") ? {} : host.gitIdentity();
}
