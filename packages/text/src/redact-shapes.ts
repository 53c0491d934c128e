import { ESCAPES, prefixRedactor, type ShapeRedactor } from "./find-shapes.js";
import { SECRET_SHAPES, type SecretShape } from "./secret-shapes.js";

/**
 * Redacts everything with the shape of a credential: keys and tokens of well-known services, private keys, and the
 * user info before the `@` of a URL. For output of programs and pages, never for files that will be edited. Linear in
 * the length of the text.
 */
export function redactShapes(text: string): string {
  made.known ??= createShapeRedactor([]);
  return made.known(text);
}

/** Creates a redactor that also covers shapes defined by the host. */
export function createShapeRedactor(own: readonly SecretShape[]): ShapeRedactor {
  const byPrefix = prefixRedactor([...own, ...SECRET_SHAPES]);
  return (text) => {
    const plain = text.includes("://") ? withoutUserInfo(text) : text;
    return withoutStructures(byPrefix(plain));
  };
}

// Built on first use: start-up does not need the index.
const made: { known?: ShapeRedactor } = {};

// A user name alone is a secret in URLs that carry tokens there; `ssh://git@host` is ordinary usage.
function withoutUserInfo(text: string): string {
  return text.replace(ADDRESS, (found, info: string, start: number) => {
    const isToken = info.includes(":") || /https?$/i.test(text.slice(Math.max(0, start - 5), start));
    return isToken ? "://[secret:url]@" : found;
  });
}

// Starts at the colon and ends at a slash, so that no text restarts the match at each letter.
const ADDRESS = /:\/\/([^\s/?#"'<>`]+)@/g;

function withoutStructures(text: string): string {
  return STRUCTURES.reduce(
    (left, { name, needle, pattern }) =>
      left.includes(needle) ? left.replace(pattern, () => `[secret:${name}]`) : left,
    text,
  );
}

/**
 * Shapes without a fixed prefix, each tried only if its needle occurs in the text. They match at word starts only, so
 * that a long run is scanned once.
 */
const STRUCTURES: readonly { name: string; needle: string; pattern: RegExp }[] = [
  {
    name: "private-key",
    needle: "PRIVATE KEY",
    pattern:
      /-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----(?:[^-]|-(?!----)){0,16384}(?:-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----)?/g,
  },
  structure("azure", "Q~", String.raw`[\w~.]{3}\dQ~[\w~.-]{31,34}(?![\w~-])`),
  structure("azure", "AZDO", "[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}(?![A-Za-z0-9])"),
  structure("mailchimp", "-us", String.raw`[0-9a-f]{32}-us\d{1,2}(?![A-Za-z0-9])`),
  structure("terraform", ".atlasv1.", String.raw`[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,70}`),
  structure("maxmind", "_mmk", String.raw`[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk(?!\w)`),
  structure("telegram", ":AA", String.raw`(?:bot)?\d{8,10}:AA[\w-]{33}(?![\w-])`),
  structure("facebook", "|", String.raw`\d{15,16}\|[\w-]{27,40}(?![\w-])`),
  structure("asana", ":", String.raw`[012]/\d{10,16}(?:/\d{10,16})?:[0-9a-f]{32}(?!\w)`),
  structure(
    "discord",
    ".",
    String.raw`[MNO](?=[\w-]{0,24}\d)[\w-]{23,25}\.(?=[\w-]{0,5}[A-Z0-9_-])[\w-]{6}\.(?=[\w-]{0,26}\d)[\w-]{27,38}(?![\w.-])`,
  ),
];

function structure(name: string, needle: string, body: string) {
  return { name, needle, pattern: new RegExp(`(?:(?<![\\w./-])|(?<=${ESCAPES}))${body}`, "g") };
}
