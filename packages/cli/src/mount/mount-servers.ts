import { dirname } from "node:path";
import { messageOf, type ToolRuntime } from "@haft/core";
import type { HaftConfig, McpServerConfig } from "@haft/runtime-node";
import { renderInline } from "@haft/text";
import type { CliIo } from "../cli-io.js";
import { serverAddress } from "./server-address.js";

/** The servers of a configuration, and who named it. */
export interface ServerChoice {
  readonly servers: NonNullable<HaftConfig["mcpServers"]>;
  /** Whether a person named the configuration, or it was merely found in the workspace. */
  readonly isNamedByHost: boolean;
  readonly configFile: string | undefined;
}

/**
 * Gives a runtime the tools of other MCP servers, which end with it. Never rejects: what cannot be used is told by name,
 * and everything else works.
 *
 * SECURITY: a server is a program that runs with the host's rights, or an address that is told our headers. What lies in
 * the workspace may have been put there by a tool or by whoever made the repository, so nothing is started or reached
 * because of it alone.
 */
export async function mountServers(choice: ServerChoice, runtime: ToolRuntime, io: CliIo): Promise<void> {
  const names = Object.keys(choice.servers);
  if (names.length === 0) return;
  const refused = refusal(choice, runtime);
  if (refused !== undefined) return warn(io, `not mounted: ${names.join(", ")}: ${refused}`);
  const mounts = await Promise.all(names.map((name) => mountOne(name, choice, io)));
  // In the order of the configuration, whoever was first: a name that is taken stays whose it is.
  for (const mount of mounts) mount?.attach(runtime);
}

interface Mount {
  attach(runtime: ToolRuntime): void;
}

/** Undefined, and told, when it cannot be used. */
async function mountOne(name: string, choice: ServerChoice, io: CliIo): Promise<Mount | undefined> {
  const server = choice.servers[name] as McpServerConfig;
  const said: string[] = [];
  let hear = (message: string): unknown => said.push(message);
  try {
    const { mountMcpServer } = await import("@haft/mcp/client");
    const address = serverAddress(server, dirname(choice.configFile ?? io.cwd), io.env);
    const options = { ...mountOptions(name, server), onMessage: (message: string) => void hear(message) };
    const mounted = await mountMcpServer(address, options);
    return {
      attach: (runtime) => {
        hear = (message) => warn(io, `${name}: ${message}`);
        mounted.attach(runtime);
        for (const { name: tool, reason } of mounted.skipped) hear(`${tool} was left out: ${reason}`);
        // From now on it is what the server prints, which is nobody's business while all is well.
        if (io.env.HAFT_DEBUG !== "1") hear = () => {};
      },
    };
  } catch (error) {
    warn(io, `not mounted: ${name}: ${[messageOf(error), ...said.slice(-MAX_SAID)].join("; ")}`);
    return undefined;
  }
}

/** What its process printed before it failed is mostly why. */
const MAX_SAID = 3;

function refusal({ isNamedByHost, configFile }: ServerChoice, { role }: ToolRuntime): string | undefined {
  if (!isNamedByHost)
    return `the configuration was found in the workspace, and servers run with your rights. If you trust it: --config ${configFile}`;
  if (role.permissions.includes("NetworkAccess")) return undefined;
  return `the role ${role.name} has no NetworkAccess, which every tool of another server needs (researcher and admin do)`;
}

function mountOptions(name: string, { tools, timeoutMs }: McpServerConfig) {
  return {
    name,
    prefix: toolPrefix(name),
    ...(tools === undefined ? {} : { tools }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  };
}

/** What the names of a server's tools begin with. */
export function toolPrefix(server: string): string {
  return `${server.replaceAll("-", "_")}_`;
}

function warn({ stderr }: CliIo, text: string): void {
  stderr.write(`haft: MCP server ${renderInline(text, { maxChars: 1_000 })}\n`);
}
