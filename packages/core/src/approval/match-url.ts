import type { Effect } from "./approval.js";

/**
 * Compiles URL patterns: "example.com", "*.example.com" for its subdomains, "example.com:8443", or
 * "https://example.com/docs" for a URL and everything below it. Throws an Error on anything else. A URL that cannot be
 * parsed, or that servers may parse differently, matches rules that restrict and never rules that allow.
 */
export function compileUrl(
  patterns: readonly string[],
  effect: Effect,
): (address: string | undefined) => boolean {
  const places = patterns.map(readPlace);
  const inDoubt = effect !== "allow";
  return (address) => {
    if (address === undefined) return false;
    const url = parsed(address.trim());
    if (url === undefined) return inDoubt;
    return places.some((place) => covers(place, url, inDoubt));
  };
}

interface Place {
  readonly host: string;
  /** Any subdomain, but not the host itself. */
  readonly below: boolean;
  /** As in a URL: "" for the scheme's default port. Undefined for any port. */
  readonly port: string | undefined;
  readonly protocol?: string;
  readonly path?: string;
}

function readPlace(pattern: string): Place {
  const isAddress = pattern.includes("://");
  const below = pattern.startsWith("*.");
  const name = below ? pattern.slice(2) : pattern;
  const url = /[\s*\\?#@]/.test(name) ? undefined : parsed(isAddress ? name : `http://${name}`);
  if (url === undefined || (!isAddress && url.pathname !== "/") || !(url.protocol in DEFAULT_PORTS))
    throw new Error(
      `"${pattern}" is not an address pattern; write "example.com", "*.example.com", "example.com:8443" or "https://example.com/docs"`,
    );
  const host = hostOf(url);
  if (isAddress) return { host, below, port: url.port, protocol: url.protocol, path: url.pathname };
  const port = /:(\d+)$/.exec(name)?.[1];
  return { host, below, port };
}

function covers({ host, below, port, protocol, path }: Place, url: URL, inDoubt: boolean): boolean {
  const given = hostOf(url);
  if (below ? !given.endsWith(`.${host}`) : given !== host) return false;
  if (port !== undefined && url.port !== port && portOf(url) !== port) return false;
  // A site answers http and https on their usual ports alike, so to restrict one restricts both.
  if (protocol !== undefined && url.protocol !== protocol && !inDoubt) return false;
  return path === undefined || isAtOrBelow(url.pathname, path, inDoubt);
}

/** Servers decode "%70", and some ignore case; a rule that restricts assumes both. */
function isAtOrBelow(path: string, parent: string, inDoubt: boolean): boolean {
  if (AMBIGUOUS.test(path)) return inDoubt;
  if (!inDoubt) return startsWith(path, parent);
  const [given, wanted] = [decoded(path), decoded(parent)];
  return given === undefined || wanted === undefined || startsWith(given, wanted);
}

function startsWith(path: string, parent: string): boolean {
  return path === parent || path.startsWith(parent.endsWith("/") ? parent : `${parent}/`);
}

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path).toLowerCase();
  } catch {
    return undefined;
  }
}

const AMBIGUOUS = /%2f|%5c|%00|%2e|\\|\/\/|;/i;

function portOf({ port, protocol }: URL): string {
  return port === "" ? (DEFAULT_PORTS[protocol] ?? "") : port;
}

const DEFAULT_PORTS: Readonly<Record<string, string>> = { "http:": "80", "https:": "443" };

function hostOf({ hostname }: URL): string {
  return hostname.endsWith(".") ? hostname.slice(0, -1) : hostname;
}

function parsed(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
