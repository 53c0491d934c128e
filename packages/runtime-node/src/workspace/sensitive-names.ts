/** Which names hold secrets. Given folded segments of a path (see `foldName`), never substrings of it. */
export function isSensitive(parts: readonly string[]): boolean {
  if (parts.some(isEnvironmentFile)) return true;
  if (SECRET_DIRECTORIES.some((directory) => isBelow(parts, directory))) return true;
  if (SECRET_ENDS.some((end) => endsWith(parts, end))) return true;
  const name = parts.at(-1) ?? "";
  return SECRET_NAMES.has(name) || SECRET_PATTERNS.some((pattern) => pattern.test(name)) || isLoosely(name);
}

function isEnvironmentFile(name: string): boolean {
  return name.startsWith(".env") && ENVIRONMENT_FILE.test(name) && !PATTERN_FILE.test(name);
}

/**
 * Names so common that source code carries them too: `credentials.ts` handles credentials,
 * `credentials.yml` holds them. See docs/decisions/0006-sensitive-names.md.
 */
function isLoosely(name: string): boolean {
  return LOOSE_PATTERNS.some((pattern) => pattern.test(name)) && !SOURCE_CODE.test(name);
}

/** Strictly below: the names in a directory may be listed. */
function isBelow(parts: readonly string[], directory: readonly string[]): boolean {
  const last = parts.length - directory.length - 1;
  for (let start = 0; start <= last; start += 1)
    if (directory.every((part, index) => parts[start + index] === part)) return true;
  return false;
}

function endsWith(parts: readonly string[], end: readonly string[]): boolean {
  return end.every((part, index) => parts[parts.length - end.length + index] === part);
}

const ENVIRONMENT_FILE = /^\.env(?:\..*)?$/;
const PATTERN_FILE = /\.(?:example|sample|template|dist)$/;

const SECRET_DIRECTORIES = [
  [".ssh"],
  [".gnupg"],
  [".aws"],
  [".config", "gcloud"],
  [".config", "gh"],
] as const;

const SECRET_ENDS = [
  [".kube", "config"],
  [".docker", "config.json"],
] as const;

const SECRET_NAMES: ReadonlySet<string> = new Set([
  ".npmrc",
  ".pypirc",
  ".netrc",
  "_netrc",
  ".pgpass",
  ".htpasswd",
  ".git-credentials",
  ".vault-token",
  ".dev.vars",
  "credentials",
  "master.key",
  "wallet.dat",
]);

const SECRET_PATTERNS = [
  /^id_(?:rsa|dsa|ecdsa|ed25519)(?!.*\.pub$)/,
  /\.(?:pem|key|p12|pfx|jks|keystore|tfvars)$/,
  /\.tfstate(?:\.[^.]+)?$/,
  /\.tfvars\.json$/,
  /credentials.*\.json$/,
  /^service-account.*\.json$/,
  /^gha-creds-.*\.json$/,
];

const LOOSE_PATTERNS = [/^credentials\./, /^secrets\./];

const SOURCE_CODE =
  /\.(?:[cm]?[jt]sx?|py|rb|go|rs|java|kts?|scala|cs|c|cc|cpp|h|hpp|php|swift|dart|exs?|clj|hs|lua|vue|svelte)$/;
