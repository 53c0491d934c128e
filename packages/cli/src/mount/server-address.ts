import { resolve } from "node:path";
import type { McpServerAddress } from "@haft/mcp/client";
import type { HaftConfig, McpServerConfig } from "@haft/runtime-node";
import { secretValues } from "@haft/runtime-node";
import type { CliIo } from "../cli-io.js";

/** Where a server is, with what the host's environment holds put in. Throws with a clause where a variable is not set. */
export function serverAddress(server: McpServerConfig, folder: string, env: CliIo["env"]): McpServerAddress {
  if (server.url !== undefined) return { url: server.url, headers: expanded(server.headers, env) };
  const { command = "", args = [], cwd = "." } = server;
  return { command, args, cwd: resolve(folder, cwd), env: expanded(server.env, env) };
}

/** What servers are given to keep to themselves; whatever they answer, it does not leave in a result. */
export function serverSecrets(servers: HaftConfig["mcpServers"] = {}): readonly string[] {
  return Object.values(servers)
    .flatMap(({ env = {}, headers = {} }) => [
      ...secretValues({ env }).map(({ value }) => value),
      ...Object.values(headers).flatMap((value) => [value, value.replace(/^\w+ +/, "")]),
    ])
    .filter((value) => value.length >= MIN_SECRET_CHARS && !VARIABLE.test(value));
}

const MIN_SECRET_CHARS = 8;
const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/;

function expanded(values: Readonly<Record<string, string>> = {}, env: CliIo["env"]): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, expand(value, env)]));
}

function expand(value: string, env: CliIo["env"]): string {
  return value.replaceAll(new RegExp(VARIABLE, "g"), (_, name: string) => {
    const found = env[name];
    if (found === undefined) throw new Error(`the variable ${name} is not set`);
    return found;
  });
}
