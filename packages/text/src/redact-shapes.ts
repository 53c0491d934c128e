/**
 * Takes out what has the shape of a credential, whoever it belongs to: keys and tokens of well-known services, private
 * keys, and what stands before the `@` of an address. For the output of programs and pages, never for files that
 * somebody is going to edit. Linear in the length of the text.
 */
export function redactShapes(text: string): string {
  const plain = text.includes("://") ? withoutUserInfo(text) : text;
  if (!HINT.test(plain)) return plain;
  return SHAPES.reduce((left, [name, pattern]) => left.replace(pattern, () => `[secret:${name}]`), plain);
}

const USER_INFO = "url";

// A name alone is a secret where addresses carry tokens by it; `ssh://git@host` is how everybody writes it.
function withoutUserInfo(text: string): string {
  return text.replace(ADDRESS, (found, info: string, start: number) => {
    const isToken = info.includes(":") || /https?$/i.test(text.slice(Math.max(0, start - 5), start));
    return isToken ? `://[secret:${USER_INFO}]@` : found;
  });
}

// It starts at the colon and ends at a slash, so that no text makes it start over at each letter.
const ADDRESS = /:\/\/([^\s/?#"'<>`]+)@/g;

/** Every shape has one of these; most texts have none. */
const HINT =
  /AKIA|ASIA|gh[pousr]_|github_pat_|glpat-|xox[abeoprs]-|[rs]k_live_|AIza|npm_|sk-|eyJ|PRIVATE KEY/;

// Bounded, and none begins inside of what another could be part of: a text full of beginnings costs no more than its length.
const SHAPES: readonly (readonly [name: string, pattern: RegExp])[] = [
  [
    "private-key",
    /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[^-]{0,16384}(?:-----END [A-Z ]{0,30}PRIVATE KEY-----)?/g,
  ],
  ["aws", /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g],
  ["github", /\b(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{36,255})/g],
  ["gitlab", /(?<![\w-])glpat-[\w-]{20,64}/g],
  ["slack", /(?<![\w-])xox[abeoprs]-[A-Za-z0-9-]{10,255}/g],
  ["stripe", /\b[rs]k_live_[A-Za-z0-9]{16,255}/g],
  ["google", /(?<![\w-])AIza[\w-]{35}/g],
  ["npm", /\bnpm_[A-Za-z0-9]{36}\b/g],
  ["anthropic", /(?<![\w-])sk-ant-[\w-]{20,255}/g],
  ["openai", /(?<![\w-])sk-(?:(?:proj|svcacct|admin)-[\w-]{20,255}|[A-Za-z0-9]{32,255}\b)/g],
  ["jwt", /(?<![\w-])eyJ[\w-]{8,2048}\.eyJ[\w-]{8,4096}\.[\w-]{8,1024}/g],
];
