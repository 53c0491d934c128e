import { join } from "node:path";
import { ToolError } from "@haft/core";
import { textIfReadable } from "../fs/if-readable.js";
import type { Environment } from "../secrets/scrubbed-environment.js";

export interface NpmRegistry {
  /** `@name` if it serves one scope; undefined for all other packages. */
  readonly scope?: string | undefined;
  /** Ends in a slash. */
  readonly url: string;
  /** The value of the Authorization header. */
  readonly authorization?: string | undefined;
  /** Whether the user configured it. A registry that only the workspace names needs approval. */
  readonly isTrusted: boolean;
}

/** Reads the user's and the workspace's npm settings, the registry without a scope first. Never throws. */
export function npmRegistries(env: Environment, root: string): readonly NpmRegistry[] {
  const user = new Map([
    ...settingsIn(userFile(env), (_key, value) => expanded(value, env)),
    ...settingsOfEnvironment(env),
  ]);
  // The box sees every value except credentials, so a workspace could read variables through any other key.
  const project = settingsIn(join(root, ".npmrc"), (key, value) =>
    CREDENTIAL.test(key) ? expanded(value, env) : value,
  );
  const trusted = new Set([DEFAULT_REGISTRY, ...registriesIn(user).values()]);
  const named = new Map([["", DEFAULT_REGISTRY], ...registriesIn(user), ...registriesIn(project)]);
  // As in npm, variables take precedence over files.
  const own = registriesIn(settingsOfEnvironment(env)).get("");
  if (own !== undefined) named.set("", own);
  return [...named].map(([scope, url]) => {
    const isTrusted = trusted.has(url);
    // SECURITY: the workspace may send the user's credentials only where the user sends them, and never over an
    // unencrypted connection that the user did not choose.
    const known = isTrusted ? new Map([...user, ...project]) : isReadable(url) ? new Map() : user;
    const authorization = authorizationFor(url, known);
    return { ...(scope !== "" && { scope }), url, isTrusted, ...(authorization && { authorization }) };
  });
}

/** Returns the registry for a request path. */
export function registryFor(registries: readonly NpmRegistry[], path: string): NpmRegistry | undefined {
  const fitting = registries.filter(({ url }) => path.startsWith(new URL(url).pathname));
  const scope = /\/(@[^/%]+)(?:\/|%2f)/i.exec(path)?.[1];
  return fitting.find((each) => each.scope === scope) ?? fitting.find((each) => each.scope === undefined);
}

/**
 * Returns the address of a request path, with the credentials for it. They stay on the registry: `//host/` names
 * another host, and `..` can leave the registry's folder, also in a spelling that only the server decodes. Pages below
 * `-/` are about the user's account, which no installation reads, so they get none.
 */
export function registryRequest(
  registry: NpmRegistry,
  target: string,
): { readonly url: URL; readonly authorization: string | undefined } {
  const base = new URL(registry.url);
  const url = URL.canParse(target, registry.url) ? new URL(target, base) : undefined;
  const path = url === undefined ? undefined : decoded(url.pathname);
  const isInside = url?.origin === base.origin && url.pathname.startsWith(base.pathname);
  if (url === undefined || path === undefined || !isInside || path.split(/[/\\]/).includes(".."))
    throw new ToolError("URL_DENIED", "The requested path leads out of the npm registry");
  const isAccount = /^[/\\]*-(?:[/\\]|$)/.test(path.slice(decoded(base.pathname)?.length));
  return { url, authorization: isAccount ? undefined : registry.authorization };
}

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

/** Returns npm's settings for a box: the same registries, behind the proxy and without credentials. */
export function boxedSettings(registries: readonly NpmRegistry[], proxy: string): string {
  const lines = registries.map(({ scope, url }) => {
    const key = scope === undefined ? "registry" : `${scope}:registry`;
    return `${key}=${proxy}${new URL(url).pathname}`;
  });
  // A lock file names the real registry; this option fetches from the proxy instead.
  return [...lines, "replace-registry-host=always", ""].join("\n");
}

const DEFAULT_REGISTRY = "https://registry.npmjs.org/";

type Settings = ReadonlyMap<string, string>;

function userFile(env: Environment): string {
  return env.npm_config_userconfig ?? env.NPM_CONFIG_USERCONFIG ?? join(env.HOME ?? "/nonexistent", ".npmrc");
}

function settingsOfEnvironment(env: Environment): Settings {
  const registry = env.npm_config_registry ?? env.NPM_CONFIG_REGISTRY;
  return new Map(registry === undefined ? [] : [["registry", registry]]);
}

function settingsIn(file: string, settle: (key: string, value: string) => string): Settings {
  const lines = (textIfReadable(file) ?? "").split("\n").slice(0, MAX_LINES);
  return new Map(
    lines.flatMap((line): [string, string][] => {
      const [, key, value] = /^\s*([^#;=\s][^=]*?)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
      if (key === undefined || value === undefined) return [];
      return [[key, settle(key, value.replace(/^"(.*)"$/, "$1"))]];
    }),
  );
}

const MAX_LINES = 1_000;
const CREDENTIAL = /:_(?:authToken|auth|password)$/;

function expanded(value: string, env: Environment): string {
  return value.replace(/\$\{(\w+)\}/g, (whole, name: string) => env[name] ?? whole);
}

function registriesIn(settings: Settings): ReadonlyMap<string, string> {
  return new Map(
    [...settings].flatMap(([key, value]): [string, string][] => {
      const scope = key === "registry" ? "" : /^(@[^:]+):registry$/.exec(key)?.[1];
      return scope === undefined || !isWeb(value) ? [] : [[scope, withSlash(value)]];
    }),
  );
}

function isReadable(url: string): boolean {
  return new URL(url).protocol === "http:";
}

function isWeb(url: string): boolean {
  return /^https?:/i.test(url) && URL.canParse(url);
}

function withSlash(url: string): string {
  const { href } = new URL(url);
  return href.endsWith("/") ? href : `${href}/`;
}

/** Finds the credentials: npm files them under the address without its scheme, or under a parent folder. */
function authorizationFor(url: string, settings: Settings): string | undefined {
  const { host, pathname } = new URL(url);
  for (let path = pathname; ; path = path.replace(/[^/]*\/$/, "")) {
    const at = (key: string) => settings.get(`//${host}${path}:${key}`);
    const [token, basic, username, password] = ["_authToken", "_auth", "username", "_password"].map(at);
    if (token !== undefined) return `Bearer ${token}`;
    if (basic !== undefined) return `Basic ${basic}`;
    if (username !== undefined && password !== undefined) return basicOf(username, password);
    if (path === "/" || path === "") return undefined;
  }
}

function basicOf(username: string, password: string): string {
  const plain = `${username}:${Buffer.from(password, "base64").toString("utf8")}`;
  return `Basic ${Buffer.from(plain).toString("base64")}`;
}
