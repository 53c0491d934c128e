import { isIP } from "node:net";
import { ConfigError } from "../config/config-error.js";

/** Normalizes exact origins. Throws CONFIG_INVALID for an invalid origin. */
export function readOrigins(origins: readonly string[]): ReadonlySet<string> {
  return new Set(origins.map((text) => originOf(text)));
}

/** Parses the configured hosts. Throws CONFIG_INVALID for an invalid host. */
export function readHosts(hosts: readonly string[]): readonly ListedHost[] {
  return hosts.map(readHost);
}

export interface ListedHost {
  readonly name: string;
  /** Matches any subdomain, but not the name itself. */
  readonly below: boolean;
  /** Only this port. Undefined: the configured ports. */
  readonly port: number | undefined;
  /** For an entry that is an address: its scheme only, and its path or anything below. */
  readonly place?: { readonly protocol: string; readonly path: string };
}

export function covers({ name, below, place }: ListedHost, url: URL): boolean {
  const host = bareHost(url);
  const isHost = below ? host.endsWith(`.${name}`) && host.length > name.length + 1 : host === name;
  if (!isHost || place === undefined) return isHost;
  return url.protocol === place.protocol && isAtOrBelow(url.pathname, place.path);
}

/** Compares whole segments. Returns false for a path that a server might interpret differently. */
function isAtOrBelow(path: string, parent: string): boolean {
  if (/%2f|%5c|%00|\\/i.test(path) || /\/(?:\.|%2e){1,2};/i.test(path)) return false;
  const base = parent.endsWith("/") ? parent : `${parent}/`;
  return path === parent || path.startsWith(base);
}

/** Returns the effective port of a URL. */
export function portOf(url: URL): number {
  if (url.port !== "") return Number(url.port);
  return url.protocol === "https:" ? 443 : 80;
}

/** Returns the host of a URL without the brackets of an IPv6 address. */
export function bareHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "");
}

export function originOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isWeb = url?.protocol === "http:" || url?.protocol === "https:";
  const isBare = url?.pathname === "/" && url.search === "" && url.hash === "" && url.username === "";
  if (url === undefined || !isWeb || !isBare) {
    throw new ConfigError("CONFIG_INVALID", `web.origins: ${quoted(text)} is not an origin`, {
      hint: "An origin is a scheme, a host and a port, such as http://127.0.0.1:8080.",
    });
  }
  return url.origin;
}

function readHost(text: string): ListedHost {
  if (!text.includes("://")) return readName(text, text);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isWeb = url?.protocol === "http:" || url?.protocol === "https:";
  if (url === undefined || !isWeb || url.href !== url.origin + url.pathname) {
    throw new ConfigError("CONFIG_INVALID", `web.hosts: ${quoted(text)} is not a usable address`, {
      hint: 'It is a scheme, a host and a path, such as "https://example.com/docs".',
    });
  }
  const place = { protocol: url.protocol, path: url.pathname };
  return { ...readName(url.hostname, text), port: portOf(url), place };
}

function readName(text: string, entry: string): ListedHost {
  const below = text.startsWith("*.");
  const [, bare = "", port] = /^(.*?)(?::(\d{1,5}))?$/.exec(below ? text.slice(2) : text) ?? [];
  const name = canonicalHost(bare);
  if (name === undefined) {
    throw new ConfigError("CONFIG_INVALID", `web.hosts: ${quoted(entry)} is not a host name`, {
      hint: 'A host is written as "example.com", "*.example.com", "example.com:8443" or "https://example.com/docs".',
    });
  }
  if (isIP(name) !== 0) {
    throw new ConfigError("CONFIG_INVALID", `web.hosts: ${quoted(entry)} is an address, not a name`, {
      hint: `Allow it as an exact origin: web.origins ["http://${bare}"].`,
    });
  }
  return { name, below, port: port === undefined ? undefined : Number(port) };
}

function canonicalHost(text: string): string | undefined {
  if (text === "" || /[\s/\\@?#:*]/.test(text)) return undefined;
  if (!URL.canParse(`http://${text}/`)) return undefined;
  const { hostname } = new URL(`http://${text}/`);
  const name = hostname.endsWith(".") ? hostname.slice(0, -1) : hostname;
  return name === "" || name.endsWith(".") ? undefined : name;
}

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 100));
}
