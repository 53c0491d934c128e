import { messageOf } from "@haft/core";
import type { Jiti } from "jiti";
import { ConfigError } from "./config-error.js";
import type { ConfigSnapshot } from "./config-snapshot.js";
import type { HaftConfig } from "./haft-config.js";

/**
 * Executes a `.ts` or `.js` configuration from its file and returns its default export as data. Rejects with
 * ConfigError only.
 *
 * SECURITY: the module runs with the rights of the process. The caller must vouch for it and for its imports.
 */
export async function runConfigModule(file: string): Promise<unknown> {
  return configOf(file, async () => (await openJiti()).import<object>(file));
}

/** Executes a configuration from the text that a person trusted. Loads nothing outside the snapshot. */
export async function runTrustedModule(snapshot: ConfigSnapshot): Promise<unknown> {
  const { CoveredModules } = await import("./covered-modules.js");
  const { file, files } = snapshot;
  const [{ path } = { path: file }] = files;
  return configOf(file, async () => new CoveredModules(snapshot, await openJiti(), VIRTUAL).load(path));
}

// Lets a workspace use the typed `defineConfig` without installing this package.
const VIRTUAL = { "@haft/runtime-node": { defineConfig: (config: HaftConfig) => config } };

async function openJiti(): Promise<Jiti> {
  // Loaded lazily: most starts need no TypeScript.
  const { createJiti } = await import("jiti");
  return createJiti(import.meta.url, {
    fsCache: false,
    moduleCache: false,
    interopDefault: false,
    virtualModules: VIRTUAL,
  });
}

async function configOf(file: string, load: () => Promise<unknown>): Promise<unknown> {
  const exported = await load().catch((cause) => {
    if (cause instanceof ConfigError) throw cause;
    throw new ConfigError("CONFIG_MALFORMED", `${file} failed: ${firstLine(messageOf(cause))}`, { cause });
  });
  const config = isObject(exported) && "default" in exported ? exported.default : exported;
  if (!isObject(config)) throw noDefaultExport(file);
  return asData(file, config);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** Returns a plain copy, so that the value cannot change after the check. */
function asData(file: string, exported: object): unknown {
  try {
    return structuredClone(exported);
  } catch (cause) {
    throw new ConfigError("CONFIG_INVALID", `${file} exports a value that is not data, such as a function`, {
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
