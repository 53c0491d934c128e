import { realpathSync } from "node:fs";
import { createRequire, isBuiltin } from "node:module";
import { dirname, extname } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { compileFunction, createContext } from "node:vm";
import type { Jiti } from "jiti";
import { ConfigError } from "./config-error.js";
import type { ConfigSnapshot } from "./config-snapshot.js";

/**
 * Executes the modules of a snapshot from the text that was digested. It refuses to load a module outside the
 * snapshot, however its name is computed, and built-in modules that could read further files.
 *
 * SECURITY: this keeps untrusted files from deciding. It does not confine code that tries to escape.
 */
export class CoveredModules {
  readonly #jiti: Jiti;
  readonly #virtual: Readonly<Record<string, unknown>>;
  readonly #texts: ReadonlyMap<string, string>;
  readonly #loaded = new Map<string, unknown>();
  readonly #context = createContext({ ...HARMLESS_GLOBALS, process: harmlessProcess() });

  constructor({ files }: ConfigSnapshot, jiti: Jiti, virtual: Readonly<Record<string, unknown>>) {
    this.#jiti = jiti;
    this.#virtual = virtual;
    this.#texts = new Map(files.map(({ path, text }) => [path, text]));
  }

  /** Returns the exports of a file of the snapshot. */
  async load(path: string): Promise<unknown> {
    const known = this.#loaded.get(path);
    if (known !== undefined) return known;
    const module = this.#begin(path);
    if (isJson(path)) return module.exports;
    await this.#run(path, module, true);
    return this.#end(path, module);
  }

  #loadSync(path: string): unknown {
    const known = this.#loaded.get(path);
    if (known !== undefined) return known;
    const module = this.#begin(path);
    if (isJson(path)) return module.exports;
    this.#run(path, module, false);
    return this.#end(path, module);
  }

  #begin(path: string): LoadedModule {
    const module = { exports: isJson(path) ? (JSON.parse(this.#textOf(path)) as object) : {} };
    // Modules that import each other see the exports assigned so far.
    this.#loaded.set(path, module.exports);
    return module;
  }

  #end(path: string, { exports }: LoadedModule): unknown {
    this.#loaded.set(path, exports);
    return exports;
  }

  #run(path: string, module: LoadedModule, isAsync: boolean): unknown {
    const ts = /^\.[mc]?tsx?$/.test(extname(path));
    const code = this.#jiti.transform({ source: this.#textOf(path), filename: path, ts, async: isAsync });
    const body = isAsync ? `return (async () => {${code}\n})()` : code;
    const run = compileFunction(body, [...PARAMETERS], { filename: path, parsingContext: this.#context });
    return run(
      module.exports,
      (name: string) => this.#import(name, path, (found) => this.#loadSync(found)),
      module,
      path,
      dirname(path),
      async (name: string) => namespaceOf(await this.#import(name, path, (found) => this.load(found))),
      (name: string) => pathToFileURL(this.#resolve(name, path)).href,
    );
  }

  #import(name: string, from: string, load: (path: string) => unknown): unknown {
    if (Object.hasOwn(this.#virtual, name)) return this.#virtual[name];
    if (isBuiltin(name)) return harmlessBuiltin(name, from);
    return load(this.#resolve(name, from));
  }

  /** Resolves a name to the real path that a loader would use. It must be part of the snapshot. */
  #resolve(name: string, from: string): string {
    const found = this.#jiti.esmResolve(name, { parentURL: pathToFileURL(from).href, try: true });
    if (found === undefined) throw new Error(`Cannot find module '${name}' imported from ${from}`);
    const path = realpathSync(found.startsWith("file:") ? fileURLToPath(found) : found);
    if (!this.#texts.has(path) || isNative(path)) throw notCovered(from, path);
    return path;
  }

  #textOf(path: string): string {
    const text = this.#texts.get(path);
    if (text === undefined) throw notCovered(path, path);
    return text;
  }
}

interface LoadedModule {
  exports: object;
}

/**
 * Returns the namespace that an import sees: CommonJS and JSON exports become the default export, and their members
 * are named exports too.
 */
function namespaceOf(exports: unknown): unknown {
  if (typeof exports !== "object" || exports === null) return { default: exports };
  return "default" in exports || "__esModule" in exports ? exports : { ...exports, default: exports };
}

/** The names that the transformed code uses. */
const PARAMETERS = [
  "exports",
  "require",
  "module",
  "__filename",
  "__dirname",
  "jitiImport",
  "jitiESMResolve",
] as const;

const HARMLESS_GLOBALS = { console, structuredClone, TextDecoder, TextEncoder, URL, URLSearchParams };

function harmlessProcess(): object {
  const { env, platform, arch, version, versions } = process;
  return { env: { ...env }, platform, arch, version, versions };
}

function harmlessBuiltin(name: string, from: string): unknown {
  if (HARMLESS_BUILTINS.has(name.replace(/^node:/, ""))) return createRequire(import.meta.url)(name);
  throw new ConfigError(
    "CONFIG_INVALID",
    `${from} imports ${name}, which a trusted configuration may not use`,
    {
      hint: "Trust covers the text of the files it names. Write the values there, or name the file with --config.",
    },
  );
}

const HARMLESS_BUILTINS = new Set(["assert", "buffer", "crypto", "os", "path", "querystring", "url", "util"]);

function isJson(path: string): boolean {
  return extname(path) === ".json";
}

function isNative(path: string): boolean {
  return [".node", ".wasm"].includes(extname(path));
}

function notCovered(from: string, path: string): ConfigError {
  return new ConfigError("CONFIG_INVALID", `${from} imports ${path}, which haft trust did not cover`, {
    hint: "Write the path as a plain string, so that haft trust can show the file, or name the configuration with --config.",
  });
}
