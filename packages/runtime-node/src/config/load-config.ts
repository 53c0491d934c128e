import { stat } from "node:fs/promises";
import { dirname, extname, join, resolve } from "node:path";
import { messageOf } from "@haft/core";
import { isRoleFile } from "../roles/resolve-role.js";
import { checkConfig } from "./check-config.js";
import { checkMcpServers } from "./check-mcp-servers.js";
import { ConfigError } from "./config-error.js";
import { configSchema } from "./config-schema.js";
import type { HaftConfig } from "./haft-config.js";
import { parseConfigJson, readConfigFile } from "./read-config-file.js";

export interface LoadConfigOptions {
  /** Where `haft.config.{ts,js,json}` is looked for. */
  readonly workspace: string;
  /** This file instead; it must exist. Relative to the current directory. */
  readonly file?: string;
}

export interface LoadedConfig {
  readonly config: HaftConfig;
  /** Absolute; undefined when the workspace has no configuration. */
  readonly file: string | undefined;
}

/**
 * Reads and checks a configuration. Rejects with ConfigError only.
 *
 * SECURITY: a `.ts` or `.js` file is executed with the host's rights. The host chooses the workspace
 * and thereby this code; tools cannot write it, because the workspace guard refuses `haft.config.*`.
 */
export async function loadConfig({ workspace, file }: LoadConfigOptions): Promise<LoadedConfig> {
  const found = file === undefined ? await findConfig(workspace) : resolve(file);
  if (found === undefined) return { config: {}, file: undefined };
  const value = extname(found) === ".json" ? await readJson(found) : await runModule(found);
  await checkConfig(value, configSchema, found);
  checkMcpServers((value as HaftConfig).mcpServers, found);
  return { config: withRoleFile(value as HaftConfig, found), file: found };
}

/** A role file is named relative to the configuration that names it. */
function withRoleFile(config: HaftConfig, file: string): HaftConfig {
  if (typeof config.role !== "string" || !isRoleFile(config.role)) return config;
  return { ...config, role: resolve(dirname(file), config.role) };
}

const FILE_NAMES = ["haft.config.ts", "haft.config.js", "haft.config.json"];

async function findConfig(workspace: string): Promise<string | undefined> {
  for (const name of FILE_NAMES) {
    const file = join(resolve(workspace), name);
    if (await exists(file)) return file;
  }
  return undefined;
}

/** A file that is there and cannot be looked at counts as there: reading it tells why. */
async function exists(file: string): Promise<boolean> {
  try {
    await stat(file);
    return true;
  } catch (cause) {
    return !["ENOENT", "ENOTDIR"].includes((cause as NodeJS.ErrnoException).code ?? "");
  }
}

async function readJson(file: string): Promise<unknown> {
  return parseConfigJson(file, await readConfigFile(file));
}

async function runModule(file: string): Promise<unknown> {
  // Read first, so that a pipe, a device or a huge file is refused before a loader opens it.
  await readConfigFile(file);
  const exported = await importDefault(file);
  if (typeof exported !== "object" || exported === null) throw noDefaultExport(file);
  return asData(file, exported);
}

async function importDefault(file: string): Promise<unknown> {
  // Loaded here because most starts need no TypeScript.
  const { createJiti } = await import("jiti");
  const jiti = createJiti(import.meta.url, {
    fsCache: false,
    moduleCache: false,
    interopDefault: false,
    // A workspace need not have this package installed for its configuration to be typed.
    virtualModules: { "@haft/runtime-node": { defineConfig: (config: HaftConfig) => config } },
  });
  try {
    const exported = await jiti.import<object>(file);
    return "default" in exported ? exported.default : exported;
  } catch (cause) {
    const reason = messageOf(cause);
    throw new ConfigError("CONFIG_MALFORMED", `${file} failed: ${firstLine(reason)}`, { cause });
  }
}

/** A copy without behaviour: what was checked cannot change afterwards. */
function asData(file: string, exported: object): unknown {
  try {
    return structuredClone(exported);
  } catch (cause) {
    throw new ConfigError("CONFIG_INVALID", `${file} holds something else than data, such as a function`, {
      hint: "Approvers and services are given to createNodeRuntime by a program.",
      cause,
    });
  }
}

function noDefaultExport(file: string): ConfigError {
  return new ConfigError("CONFIG_INVALID", `${file} exports no configuration`, {
    hint: "Write: export default defineConfig({ … })",
  });
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0]?.slice(0, 300) ?? "";
}
