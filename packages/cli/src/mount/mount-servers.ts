import { dirname } from "node:path";
import { definitionOf, messageOf } from "@haft/core";
import type { LocalRuntime } from "@haft/core/kernel";
import type { MountedServer } from "@haft/mcp/client";
import type { HaftConfig, McpServerConfig } from "@haft/runtime-node";
import { nearestNames, renderInline } from "@haft/text";
import type { CliIo } from "../cli-io.js";
import { printNote } from "../output/print.js";
import { serverAddress } from "./server-address.js";

/** The MCP servers of a trusted or explicitly named configuration. */
interface ServerChoice {
  readonly servers: NonNullable<HaftConfig["mcpServers"]>;
  readonly configFile: string | undefined;
  /** The tools that the role and the rules name. */
  readonly named: readonly string[];
}

/**
 * Adds the tools of other MCP servers to a runtime; the servers stop with it. Never rejects: servers that fail are
 * reported by name. SECURITY: a server is a program with the user's rights, or an address that receives our headers.
 * `loadConfig` ignores the servers of untrusted configurations.
 */
export async function mountServers(choice: ServerChoice, runtime: LocalRuntime, io: CliIo): Promise<void> {
  const names = Object.keys(choice.servers);
  if (names.length === 0) return;
  const refused = refusal(runtime);
  if (refused !== undefined) return warn(io, `not mounted: ${names.join(", ")}: ${refused}`);
  const mounts = await Promise.all(names.map((name) => mountOne(name, choice, io)));
  // Attaches in configuration order, so that name conflicts resolve the same way every time.
  for (const mount of mounts) mount?.attach(runtime);
}

interface Mount {
  attach(runtime: LocalRuntime): void;
}

/** Returns undefined after reporting why the server cannot be used. */
async function mountOne(name: string, choice: ServerChoice, io: CliIo): Promise<Mount | undefined> {
  const server = choice.servers[name] as McpServerConfig;
  const output: string[] = [];
  let report = (message: string): unknown => output.push(message);
  try {
    const { mountMcpServer } = await import("@haft/mcp/client");
    const address = serverAddress(server, dirname(choice.configFile ?? io.cwd), io.env);
    const options = { ...mountOptions(name, server), onMessage: (message: string) => void report(message) };
    const mounted = await mountMcpServer(address, options);
    return {
      attach: (runtime) => {
        report = (message) => warn(io, `${name}: ${message}`);
        mounted.attach(runtime);
        for (const { name: tool, reason } of mounted.skipped) report(`${tool} was skipped: ${reason}`);
        for (const problem of misnamed(name, mounted, choice)) report(problem);
        // After start-up, server output is shown only for debugging.
        if (io.env.HAFT_DEBUG !== "1") report = () => {};
      },
    };
  } catch (error) {
    warn(io, `not mounted: ${name}: ${[messageOf(error), ...output.slice(-MAX_OUTPUT_LINES)].join("; ")}`);
    return undefined;
  }
}

/** A rule for a tool that the server does not have restricts nothing, so the user is told. */
function misnamed(
  server: string,
  { tools, skipped }: Pick<MountedServer, "tools" | "skipped">,
  { servers, named }: ServerChoice,
): readonly string[] {
  // Of a list that was cut, the rest is unknown.
  if (skipped.some(({ name }) => name === "the rest")) return [];
  const prefix = toolPrefix(server);
  const offered = tools.map((tool) => definitionOf(tool).name);
  // Of two servers whose names begin alike, the longer one has the tool.
  const prefixes = Object.keys(servers).map(toolPrefix);
  const isOthers = (name: string) =>
    prefixes.some((other) => other.length > prefix.length && name.startsWith(other));
  const wanted = [...new Set(named)].filter((name) => name.startsWith(prefix) && !isOthers(name));
  return wanted
    .filter((name) => !offered.includes(name))
    .map((name) => {
      const [nearest] = nearestNames(name, offered, 1);
      const advice = nearest === undefined ? "" : `; did you mean ${nearest}?`;
      return `it has no tool ${name}, which a role or rule names${advice}`;
    });
}

/** The last output of a failed server usually explains the failure. */
const MAX_OUTPUT_LINES = 3;

function refusal({ role }: LocalRuntime): string | undefined {
  if (role.permissions.includes("NetworkAccess")) return undefined;
  return `the role ${role.name} lacks NetworkAccess, which tools of other servers require (researcher and admin have it)`;
}

function mountOptions(name: string, { tools, timeoutMs }: McpServerConfig) {
  return {
    name,
    prefix: toolPrefix(name),
    ...(tools === undefined ? {} : { tools }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  };
}

/** Returns the prefix of a server's tool names. */
export function toolPrefix(server: string): string {
  return `${server.replaceAll("-", "_")}_`;
}

function warn({ stderr }: CliIo, text: string): void {
  printNote(stderr, `haft: MCP server ${renderInline(text, { maxChars: 1_000 })}`);
}
