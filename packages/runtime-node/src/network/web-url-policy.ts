import { isIP } from "node:net";
import { ToolError } from "@haft/core";
import type { UrlJudgement, UrlPolicy } from "@haft/core/capabilities";
import { bareHost, covers, type ListedHost, portOf, readHosts, readOrigins } from "./allow-list.js";
import { parseWebUrl } from "./parse-web-url.js";
import { type Denial, urlDenied } from "./url-denied.js";

export interface UrlSettings {
  /** Exact origins, the only way to allow a literal or private address. */
  readonly origins?: readonly string[] | undefined;
  /** Host names. "*." matches any subdomain; with scheme and path, that address and everything below it. */
  readonly hosts?: readonly string[] | undefined;
  /** Default 80 and 443. */
  readonly ports?: readonly number[] | undefined;
  /** How to handle a public host that is not listed. Default "ask". */
  readonly onUnlisted?: "ask" | "deny" | undefined;
}

export const DEFAULT_PORTS: readonly number[] = [80, 443];

/** An address that may be dialled. */
export interface Admission {
  readonly url: URL;
  /**
   * Whether the host listed this exact origin, which may then have any address. Otherwise only a public one is
   * allowed.
   */
  readonly isExact: boolean;
}

/** Decides on an address by its text. The resolved addresses are checked on connect. */
export class WebUrlPolicy implements UrlPolicy {
  readonly #origins: ReadonlySet<string>;
  readonly #hosts: readonly ListedHost[];
  readonly #ports: readonly number[];
  readonly #onUnlisted: "ask" | "deny";

  constructor({ origins = [], hosts = [], ports = DEFAULT_PORTS, onUnlisted = "ask" }: UrlSettings = {}) {
    this.#origins = readOrigins(origins);
    this.#hosts = readHosts(hosts);
    this.#ports = ports;
    this.#onUnlisted = onUnlisted;
  }

  judge(text: string): UrlJudgement {
    try {
      const url = parseWebUrl(text);
      const { verdict, denial } = this.#judge(url);
      if (denial === undefined) return { verdict, because: `${url.host} is listed` };
      const { because } = denial;
      return { verdict, because, ...(verdict === "refused" && { refusal: urlDenied(text, denial) }) };
    } catch (error) {
      if (!ToolError.is(error)) throw error;
      return { verdict: "refused", because: error.message, refusal: error };
    }
  }

  /** Throws URL_DENIED with the reason and how to allow it. */
  admit(text: string, approvedHost?: string): Admission {
    const url = parseWebUrl(text);
    const { verdict, isExact, denial } = this.#judge(url);
    const isApproved = verdict === "unlisted" && approvedHost === url.hostname;
    if (denial === undefined || isApproved) return { url, isExact: isExact === true };
    throw urlDenied(text, denial);
  }

  #judge(url: URL): Judged {
    if (this.#origins.has(url.origin)) return { verdict: "listed", isExact: true };
    const host = bareHost(url);
    if (isIP(host) !== 0) return refused(literalAddress(url));
    const port = portOf(url);
    const listed = this.#hosts.filter((entry) => covers(entry, url));
    if (listed.some((entry) => entry.port === port)) return { verdict: "listed" };
    if (!this.#ports.includes(port)) return refused(otherPort(url, port));
    if (listed.some((entry) => entry.port === undefined)) return { verdict: "listed" };
    if (isPrivateName(host)) return refused(privateName(url));
    if (this.#onUnlisted === "deny") return refused(unlisted(host));
    return { verdict: "unlisted", denial: unlisted(host) };
  }
}

interface Judged {
  readonly verdict: UrlJudgement["verdict"];
  readonly isExact?: true;
  readonly denial?: Denial;
}

function refused(denial: Denial): Judged {
  return { verdict: "refused", denial };
}

/** Returns true for names that no public host has. Asking a person about them would only invite a mistake. */
function isPrivateName(host: string): boolean {
  const labels = host.split(".");
  return labels.length === 1 || PRIVATE_ENDINGS.some((ending) => host.endsWith(`.${ending}`));
}

const PRIVATE_ENDINGS = ["localhost", "local", "internal", "intranet", "lan", "corp", "home", "home.arpa"];

function literalAddress(url: URL): Denial {
  return {
    because: `${url.hostname} is an address, not a name`,
    hint: `Only the exact origin in the configuration allows it: web.origins ["${url.origin}"].`,
    reason: "literal-address",
  };
}

function otherPort(url: URL, port: number): Denial {
  return {
    because: `port ${port} is not allowed`,
    hint: `The configuration allows it by web.ports, or by web.origins ["${url.origin}"].`,
    reason: "port",
  };
}

function privateName(url: URL): Denial {
  return {
    because: `${url.hostname} is a name of this machine or its network`,
    hint: `Only the exact origin in the configuration allows it: web.origins ["${url.origin}"].`,
    reason: "private-name",
  };
}

function unlisted(host: string): Denial {
  return {
    because: `${host} is not on the list of allowed hosts`,
    hint: `The configuration allows it by web.hosts ["${host}"].`,
    reason: "unlisted",
  };
}
