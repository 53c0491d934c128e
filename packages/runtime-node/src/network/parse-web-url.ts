import { urlDenied } from "./url-denied.js";

/**
 * Parses an http or https address into its normal form: decimal, octal, hexadecimal, full-width and percent-encoded
 * hosts are resolved, the host is in lower case without a final dot. Throws URL_DENIED for anything else.
 */
export function parseWebUrl(text: string): URL {
  // Browsers drop or convert these characters; the address fetched must be the address shown.
  if (CONFUSING.test(text)) {
    throw urlDenied(text, {
      because: "it contains a control character or a backslash",
      reason: "malformed",
    });
  }
  const url = parse(text);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw urlDenied(text, { because: `${url.protocol} is neither http: nor https:`, reason: "scheme" });
  }
  if (HAS_USERINFO.test(text) || url.username !== "" || url.password !== "") {
    throw urlDenied(withoutUserinfo(url), {
      because: "it contains a user name or password",
      hint: "Remove the part before the @.",
      reason: "userinfo",
    });
  }
  return withPlainHost(url, text);
}

/** Characters that parsers silently drop or read as a slash. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const CONFUSING = /[\u0000-\u001f\u007f\\]/;

// The parsed form shows no trace of an empty user name.
const HAS_USERINFO = /^\s*https?:\/*[^/?#]*@/i;

function parse(text: string): URL {
  try {
    return new URL(text);
  } catch (cause) {
    const denied = urlDenied(text, {
      because: "it is not an absolute address",
      hint: "Use a complete address, such as https://example.com/page.",
      reason: "malformed",
    });
    throw Object.assign(denied, { cause });
  }
}

function withPlainHost(url: URL, text: string): URL {
  if (!url.hostname.endsWith(".")) return url;
  url.hostname = url.hostname.slice(0, -1);
  if (!url.hostname.endsWith(".")) return url;
  throw urlDenied(text, { because: "its host has an empty part", reason: "malformed" });
}

/** Removes user name and password: a password must not reach a model. */
function withoutUserinfo(url: URL): string {
  const bare = new URL(url);
  bare.username = "";
  bare.password = "";
  return bare.href;
}
