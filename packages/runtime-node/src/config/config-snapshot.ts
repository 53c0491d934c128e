import { createHash } from "node:crypto";
import { realpath } from "node:fs/promises";
import { basename, dirname, extname, join, resolve, sep } from "node:path";
import { isRoleFile } from "../roles/resolve-role.js";
import { ConfigError } from "./config-error.js";
import { launchedFiles, launchedPaths } from "./launched-files.js";
import { EXTENSIONS, type NamedFilesOptions, namedFiles } from "./named-files.js";
import {
  decodeConfig,
  digestProgram,
  parseConfigJson,
  readConfigBytes,
  unreadable,
} from "./read-config-file.js";

/** The exact content of a configuration and of the files it names. A person trusts one snapshot. */
export interface ConfigSnapshot {
  /** Where the configuration was found. A link has its own place, so trust in one does not apply to another. */
  readonly file: string;
  /**
   * The configuration first, by its real path, then its imports and the role file, local packs and server scripts it
   * names. A script in another language than JavaScript is covered without what it imports.
   */
  readonly files: readonly SnapshotFile[];
  /** Covers all paths and contents. */
  readonly digest: string;
}

export interface SnapshotFile {
  readonly path: string;
  readonly sha256: string;
  /** The content that was digested. Empty for a server's program that is not text, or is too large to be shown. */
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
  if (isCode(file)) await addNamedFiles(files, namedFiles(text, path, { programs: true }));
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
  let room = MAX_PROGRAM_BYTES;
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const path = await realPathOf(next);
    if (files.some((file) => file.path === path)) continue;
    if (files.length >= MAX_FILES) throw tooMany(path);
    const isModule = EXTENSIONS.includes(extname(path));
    // A configuration's own modules are executed from this text. What a server runs is only compared.
    const isExecuted = isModule && options.packages !== false;
    const { taken, ...file } = isExecuted ? await readModule(path) : await readLaunched(path, room);
    room -= taken;
    files.push(file);
    if (isModule && (isExecuted || !isInstalled(path)) && (isCode(path) || basename(path) === "package.json"))
      waiting.push(...namedFiles(file.text, path, options));
  }
}

interface ReadFile extends SnapshotFile {
  /** The bytes that count towards the limit for programs. */
  readonly taken: number;
}

async function readModule(path: string): Promise<ReadFile> {
  const bytes = await readConfigBytes(path);
  return { path, sha256: sha256(bytes), text: Buffer.from(bytes).toString("utf8"), taken: 0 };
}

/** Reads a file that only a server runs: it may be a large program. */
async function readLaunched(path: string, room: number): Promise<ReadFile> {
  const program = await digestProgram(path, room);
  if (program !== undefined) return { path, sha256: program.sha256, text: "", taken: program.size };
  const file = await readModule(path);
  return file.text.includes("\0") ? { ...file, text: "" } : file;
}

/** Trust does not cover what installed packages import. */
function isInstalled(path: string): boolean {
  return path.includes(`${sep}node_modules${sep}`);
}

const MAX_PROGRAM_BYTES = 256 * 1024 * 1024;

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
  const folder = dirname(file);
  const local = (Array.isArray(packs) ? packs : []).filter((pack) => /^\.{0,2}\//.test(String(pack)));
  const absolute = [
    ...local.map((name) => resolve(folder, String(name))),
    ...launchedPaths(mcpServers, folder),
  ];
  const named = [
    ...namedFiles(absolute.map((path) => JSON.stringify(path)).join(" "), file, { packages: false }),
    ...launchedFiles(mcpServers, file),
  ];
  return typeof role === "string" && isRoleFile(role) ? [resolve(folder, role), ...named] : named;
}

/** Not validated yet. */
interface NamingConfig {
  readonly role?: unknown;
  readonly packs?: unknown;
  readonly mcpServers?: unknown;
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
