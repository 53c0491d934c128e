import { ConfigError } from "./config-error.js";
import type { HaftConfig, McpServerConfig } from "./haft-config.js";

/**
 * Throws CONFIG_INVALID for rules about servers that a schema cannot express: valid combinations, names and
 * addresses.
 */
export function checkMcpServers(servers: HaftConfig["mcpServers"], where: string): void {
  for (const [name, server] of Object.entries(servers ?? {})) {
    const problem = NAME.test(name) ? problemOf(server) : NAME_RULE;
    if (problem === undefined) continue;
    throw new ConfigError(
      "CONFIG_INVALID",
      `${where}: mcpServers.${JSON.stringify(name.slice(0, 80))}: ${problem}`,
    );
  }
}

// It prefixes the names of the server's tools, which models must be able to write.
const NAME = /^(?=.{1,32}$)[a-z][a-z0-9]*([-_][a-z0-9]+)*$/;
const NAME_RULE = "a name is at most 32 lower-case letters and digits, with single - or _ between them";

function problemOf(server: McpServerConfig): string | undefined {
  const { command, url } = server;
  if (command === undefined && url === undefined) return 'give a "command" to start or a "url" to reach';
  if (command !== undefined && url !== undefined) return 'give a "command" or a "url", not both';
  const [ofOther] = (command === undefined ? OF_COMMANDS : OF_URLS).filter(
    (key) => server[key] !== undefined,
  );
  if (ofOther !== undefined) return `"${ofOther}" is for a ${command === undefined ? "command" : "url"}`;
  return url === undefined ? undefined : problemOfUrl(url);
}

const OF_COMMANDS = ["args", "env", "cwd"] as const;
const OF_URLS = ["headers"] as const;

/** Describes what is wrong without repeating the address: it may contain a key. */
function problemOfUrl(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    return '"url" must begin with http:// or https://';
  if (url.username !== "" || url.password !== "") return '"url" must not hold a password; use "headers"';
  return undefined;
}
