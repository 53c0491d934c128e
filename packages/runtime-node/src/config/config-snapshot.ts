import { createHash } from "node:crypto";
import { realpath } from "node:fs/promises";
import { basename, dirname, extname, join, resolve } from "node:path";
import { isRoleFile } from "../roles/resolve-role.js";
import { ConfigError } from "./config-error.js";
import { type NamedFilesOptions, namedFiles } from "./named-files.js";
import { decodeConfig, parseConfigJson, readConfigBytes, unreadable } from "./read-config-file.js";

/** The exact content of a configuration and of the files it names. A person trusts one snapshot. */
export interface ConfigSnapshot {
  /** Where the configuration was found. A link has its own place, so trust in one does not apply to another. */
  readonly file: string;
  /**
   * The configuration first, by its real path, then its imports and the role file, local packs and server scripts it
   * names.
   */
  readonly files: readonly SnapshotFile[];
  /** Covers all paths and contents. */
  readonly digest: string;
}

export interface SnapshotFile {
  readonly path: string;
  readonly sha256: string;
  /** The content that was digested. */
  readonly text: string;
}

/**
 * Reads a configuration and every file that trust in it covers, without executing anything. Rejects with ConfigError
 * only.
 */
export async function takeConfigSnapshot(file: string): Promise<ConfigSnapshot> {
  const bytes = await readConfigBytes(file);
  const text = decodeConfig(file, bytes);
  const path = await realPathOf(file);
  const files = [{ path, sha256: sha256(bytes), text }];
  if (isCode(file)) await addNamedFiles(files, namedFiles(text, path));
  else await addNamedFiles(files, filesInJson(text, file), { packages: false });
  const contents = files.map((each) => [each.path, each.sha256]).sort();
  const place = join(await realPathOf(dirname(file)), basename(file));
  return { file: place, files, digest: sha256(JSON.stringify(contents)) };
}

/** Adds the files that a trusted file imports. */
async function addNamedFiles(
  files: SnapshotFile[],
  named: readonly string[],
  options: NamedFilesOptions = {},
): Promise<void> {
  const waiting = [...named];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const path = await realPathOf(next);
    if (files.some((file) => file.path === path)) continue;
    if (files.length >= MAX_FILES) throw tooMany(path);
    const bytes = await readConfigBytes(path);
    const text = Buffer.from(bytes).toString("utf8");
    files.push({ path, sha256: sha256(bytes), text });
    if (isCode(path) || basename(path) === "package.json") waiting.push(...namedFiles(text, path, options));
  }
}

async function realPathOf(file: string): Promise<string> {
  return realpath(file).catch((cause) => {
    throw unreadable(file, cause);
  });
}

/** Returns true for a `.ts` or `.js` configuration, which must be executed. */
export function isCode(file: string): boolean {
  return ![".json", ".node", ".wasm"].includes(extname(file));
}

/** Lists the role file, local packs and MCP server scripts that a configuration names: they belong to it. */
function filesInJson(text: string, file: string): readonly string[] {
  const value = (parseConfigJson(file, text) ?? {}) as NamingConfig;
  const { role, packs, mcpServers } = value;
  const servers = isRecord(mcpServers) ? Object.values(mcpServers).filter(isRecord) : [];
  const scripts = servers.flatMap(({ command, args }) => [command, ...(Array.isArray(args) ? args : [])]);
  const local = (Array.isArray(packs) ? packs : []).filter((pack) => /^\.{0,2}\//.test(String(pack)));
  const paths = [...local, ...scripts].filter(
    (name): name is string => typeof name === "string" && name !== "",
  );
  const absolute = paths.map((name) => JSON.stringify(resolve(dirname(file), name)));
  const named = namedFiles(absolute.join(" "), file, { packages: false });
  return typeof role === "string" && isRoleFile(role) ? [resolve(dirname(file), role), ...named] : named;
}

/** Not validated yet. */
interface NamingConfig {
  readonly role?: unknown;
  readonly packs?: unknown;
  readonly mcpServers?: unknown;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const MAX_FILES = 64;

function tooMany(file: string): ConfigError {
  return new ConfigError(
    "CONFIG_TOO_LARGE",
    `A configuration may import ${MAX_FILES} files; ${file} is one more`,
  );
}

function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}
