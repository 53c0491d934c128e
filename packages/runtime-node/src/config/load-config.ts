import { lstat, realpath } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { checkedRole, isRoleFile } from "../roles/resolve-role.js";
import type { Environment } from "../secrets/scrubbed-environment.js";
import { checkConfig } from "./check-config.js";
import { checkMcpServers } from "./check-mcp-servers.js";
import { ConfigError } from "./config-error.js";
import { configSchema } from "./config-schema.js";
import { type ConfigSnapshot, isCode, takeConfigSnapshot } from "./config-snapshot.js";
import { ConfigTrust, type TrustRecord } from "./config-trust.js";
import type { HaftConfig } from "./haft-config.js";
import { launchedFiles } from "./launched-files.js";
import { type IgnoredSetting, narrowConfig } from "./narrow-config.js";
import { parseConfigJson, readConfigFile } from "./read-config-file.js";
import { runConfigModule, runTrustedModule } from "./run-config-module.js";

export interface LoadConfigOptions {
  /** The folder to search for `haft.config.{ts,js,json}`. */
  readonly workspace: string;
  /** Loads and trusts this file instead. It must exist. Relative to the current directory. */
  readonly file?: string;
  /**
   * Set by a program that vouches for a file found in the workspace. Default false: a person must have trusted it.
   */
  readonly trustFound?: boolean;
  /** The environment whose XDG_STATE_HOME locates trust records. Default: the process's. */
  readonly env?: Environment;
}

export interface LoadedConfig {
  readonly config: HaftConfig;
  /** Absolute. Undefined when the workspace has no configuration. */
  readonly file: string | undefined;
  /** Undefined if the file applies unchanged: it was named, it is trusted, or there is none. */
  readonly untrusted?: UntrustedConfig;
}

/** An untrusted configuration and the settings it would change if a person trusted it. */
export interface UntrustedConfig {
  readonly snapshot: ConfigSnapshot;
  /** Whether it is a `.ts` or `.js` file, which was not executed. */
  readonly isCode: boolean;
  /** The settings that were ignored. Empty if the file only narrows. */
  readonly ignored: readonly IgnoredSetting[];
  /** The earlier decision about this content. */
  readonly decision: TrustRecord["decision"] | undefined;
}

/**
 * Reads and checks a configuration. Rejects with ConfigError only.
 *
 * SECURITY: until a person has trusted its exact content (`haft trust`), a file found in the workspace can only
 * narrow the defaults, and is not executed. Tools cannot write it: the workspace guard refuses `haft.config.*`.
 */
export async function loadConfig(options: LoadConfigOptions): Promise<LoadedConfig> {
  const file = options.file === undefined ? await findConfig(options.workspace) : resolve(options.file);
  if (file === undefined) return { config: {}, file: undefined };
  if (options.file !== undefined || options.trustFound === true)
    return { config: await readNamed(file), file };
  return loadFound(file, options.env);
}

async function loadFound(file: string, env: Environment | undefined): Promise<LoadedConfig> {
  const snapshot = await takeConfigSnapshot(file);
  const [{ text } = { text: "" }] = snapshot.files;
  const decision = await new ConfigTrust(env).decisionOn(snapshot);
  if (decision === "trusted") {
    const value = isCode(file) ? await runTrustedModule(snapshot) : parseConfigJson(file, text);
    const config = await checked(value, file);
    await assertCovered(config, snapshot);
    return { config: await withTrustedRole(config, snapshot), file };
  }
  const { config, ignored } = isCode(file)
    ? { config: {}, ignored: [] }
    : await narrowConfig(await checked(parseConfigJson(file, text), file));
  return { config, file, untrusted: { snapshot, isCode: isCode(file), ignored, decision } };
}

/**
 * Reads a configuration that was named. A module is read before it is executed, so that no loader opens a pipe or a
 * huge file.
 */
async function readNamed(file: string): Promise<HaftConfig> {
  const text = await readConfigFile(file);
  return checked(isCode(file) ? await runConfigModule(file) : parseConfigJson(file, text), file);
}

async function checked(value: unknown, file: string): Promise<HaftConfig> {
  await checkConfig(value, configSchema, file);
  checkMcpServers((value as HaftConfig).mcpServers, file);
  return withRoleFile(value as HaftConfig, file);
}

/** Resolves the role file relative to the configuration that names it. */
function withRoleFile(config: HaftConfig, file: string): HaftConfig {
  if (typeof config.role !== "string" || !isRoleFile(config.role)) return config;
  return { ...config, role: resolve(dirname(file), config.role) };
}

/** SECURITY: takes the role from the text that was trusted, because its file may change before it is used. */
async function withTrustedRole(config: HaftConfig, { files }: ConfigSnapshot): Promise<HaftConfig> {
  const { role } = config;
  if (typeof role !== "string" || !isRoleFile(role)) return config;
  const real = await realpath(role);
  const text = files.find(({ path }) => path === real)?.text ?? "";
  return { ...config, role: await checkedRole(parseConfigJson(role, text), role) };
}

const FILE_NAMES = ["haft.config.ts", "haft.config.js", "haft.config.json"];

async function findConfig(workspace: string): Promise<string | undefined> {
  for (const name of FILE_NAMES) {
    const file = join(resolve(workspace), name);
    if (await exists(file)) return file;
  }
  return undefined;
}

/** Returns true for a file that cannot be accessed and for a link that leads nowhere: reading it reports why. */
async function exists(file: string): Promise<boolean> {
  try {
    await lstat(file);
    return true;
  } catch (cause) {
    return !["ENOENT", "ENOTDIR"].includes((cause as NodeJS.ErrnoException).code ?? "");
  }
}

/**
 * SECURITY: trust in code covers the files that it names as plain strings, but not a role or a server's script whose
 * path it computes.
 */
async function assertCovered({ role, mcpServers }: HaftConfig, snapshot: ConfigSnapshot): Promise<void> {
  const { file, files } = snapshot;
  const roles = typeof role === "string" && isRoleFile(role) ? [role] : [];
  const named = [
    ...roles.map((path) => ({ what: "the role file", path })),
    ...launchedFiles(mcpServers, file).map((path) => ({ what: "the server script", path })),
  ];
  for (const { what, path } of named) {
    const real = await realpath(path).catch(() => path);
    if (files.some((covered) => covered.path === real)) continue;
    throw new ConfigError("CONFIG_INVALID", `${file} names ${what} ${path}, which haft trust did not cover`, {
      hint: "Write its path from the folder of the configuration as a plain string, such as ./tools/server.py.",
    });
  }
}
