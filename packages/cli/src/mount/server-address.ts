import { resolve } from "node:path";
import type { McpServerAddress } from "@haft/mcp/client";
import type { HaftConfig, McpServerConfig } from "@haft/runtime-node";
import { secretValues } from "@haft/runtime-node";
import type { CliIo } from "../cli-io.js";

/** Resolves the address of a server and expands environment variables. Throws if a variable is not set. */
export function serverAddress(server: McpServerConfig, folder: string, env: CliIo["env"]): McpServerAddress {
  if (server.url !== undefined) return { url: server.url, headers: expanded(server.headers, env) };
  const { command = "", args = [], cwd = "." } = server;
  return { command, args, cwd: resolve(folder, cwd), env: expanded(server.env, env) };
}

/** Returns the secrets passed to servers, so that they can be redacted from results. */
export function serverSecrets(servers: HaftConfig["mcpServers"] = {}, env: CliIo["env"]): readonly string[] {
  return Object.values(servers)
    .flatMap((server) => [
      ...named(known(server.env, env)),
      ...named(known(server.headers, env)).flatMap((value) => [value, value.replace(SCHEME, "")]),
      ...cookies(known(server.headers, env)),
    ])
    .filter((value, index, all) => value.length >= MIN_SECRET_CHARS && all.indexOf(value) === index);
}

const SCHEME = /^\w+ +/;
const MIN_SECRET_CHARS = 8;
const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** Expands the values, skipping those whose variables are not set. */
function known(values: Readonly<Record<string, string>> = {}, env: CliIo["env"]): Record<string, string> {
  const isSet = (value: string) =>
    [...value.matchAll(VARIABLE)].every(([, name = ""]) => env[name] !== undefined);
  return expanded(Object.fromEntries(Object.entries(values).filter(([, value]) => isSet(value))), env);
}

/** Returns values whose names mark them as secret, such as `Authorization`. */
function named(values: Readonly<Record<string, string>>): readonly string[] {
  return secretValues({ env: values }).map(({ value }) => value);
}

/** Returns cookie headers and the value of each cookie. */
function cookies(headers: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(headers)
    .filter(([name]) => name.toLowerCase() === "cookie")
    .flatMap(([, value]) => [
      value,
      ...value.split(/; */).map((cookie) => cookie.slice(cookie.indexOf("=") + 1)),
    ]);
}

function expanded(values: Readonly<Record<string, string>> = {}, env: CliIo["env"]): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, expand(value, env)]));
}

function expand(value: string, env: CliIo["env"]): string {
  return value.replaceAll(VARIABLE, (_, name: string) => {
    const found = env[name];
    if (found === undefined) throw new Error(`the variable ${name} is not set`);
    return found;
  });
}
