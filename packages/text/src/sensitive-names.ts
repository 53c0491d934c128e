/**
 * Which names hold secrets: the one list, for the guard of every tool and for what commands are told to
 * pass over. Given the segments of a path in lower case, never substrings of it.
 */
export function isSensitiveName(parts: readonly string[]): boolean {
  if (parts.some(isEnvironmentFile)) return true;
  if (SECRET_DIRECTORIES.some((directory) => isBelow(parts, directory))) return true;
  if (SECRET_ENDS.some((end) => endsWith(parts, end)) || isGitStore(parts)) return true;
  const name = parts.at(-1) ?? "";
  return SECRET_NAMES.has(name) || SECRET_PATTERNS.some((pattern) => pattern.test(name)) || isLoosely(name);
}

/**
 * Whether a path, as it is written, is worth judging by its segments; one look instead of twenty, for the many that are
 * not. Exact: folding a segment of ASCII lowers its case and cuts its end, so whatever a rule asks a folded segment to
 * begin with, to hold or to end in is in the path itself. All else, what is not ASCII first of all, is worth it.
 */
export function mayBeSensitive(path: string): boolean {
  return SUSPICIOUS.test(path);
}

const SUSPICIOUS =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all but ASCII is meant
  /(?:^|\/)(?:\.|_netrc|gha-creds|id_|secrets|service-account|wallet)|credentials|\.(?:key|pem|p12|pfx|jks|tf)|[^\x00-\x7f]/i;

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

/** Of a repository's own files: all that was ever committed lies in `objects`, secrets included; a `config` often has a password in an address. */
export function isGitStore(parts: readonly string[]): boolean {
  const start = parts.indexOf(".git");
  if (start < 0) return false;
  const objects = parts.indexOf("objects", start + 1);
  return (objects > 0 && objects < parts.length - 1) || GIT_CONFIGS.has(parts.at(-1) ?? "");
}

/** The folder itself, and those in it that hold objects or settings. */
const GIT_FOLDERS: ReadonlySet<string> = new Set(["", "objects", "modules", "worktrees", "lfs"]);
const GIT_CONFIGS: ReadonlySet<string> = new Set(["config", "config.worktree"]);

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

/** Directories with nothing but secrets in them, as a program that walks can be told to leave them out. */
export const SENSITIVE_FOLDERS: readonly string[] = [".ssh", ".gnupg", ".aws"];

/**
 * Directories that hold secrets beside other things, by a name that alone says nothing: a program that
 * can only be told names leaves all of them out.
 */
export const PARTLY_SENSITIVE_FOLDERS: readonly string[] = [".docker", ".kube", ".config", ".git"];

/** What is sensitive by its place, as globs, for programs that can be told paths. */
export const SENSITIVE_PATH_GLOBS: readonly string[] = [
  ...SENSITIVE_FOLDERS.map((name) => `${name}/**`),
  ...[".config/gcloud/**", ".config/gh/**", ".kube/config", ".docker/config.json"],
  ...[".git/config", ".git/**/config", ".git/**/config.worktree", ".git/objects/**", ".git/**/objects/**"],
];

/** Whether something in this directory is sensitive by its place: who is given the directory reads that too. */
export function holdsSensitiveNames(parts: readonly string[]): boolean {
  const start = parts.indexOf(".git");
  if (start >= 0 && GIT_FOLDERS.has(parts[start + 1] ?? "")) return true;
  return isSensitiveName([...parts, "x"]) || SECRET_ENDS.some((end) => endsWith(parts, end.slice(0, -1)));
}

const SECRET_DIRECTORIES: readonly (readonly string[])[] = [
  ...SENSITIVE_FOLDERS.map((name) => [name]),
  [".config", "gcloud"],
  [".config", "gh"],
];

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

/** Of names that source code carries too, only what holds data is passed over. */
const DATA_ENDINGS = [
  "yml",
  "yaml",
  "json",
  "toml",
  "ini",
  "xml",
  "properties",
  "conf",
  "cfg",
  "csv",
  "txt",
  "env",
];

/** The same as globs, as near as `*` alone can say it, for programs that pass over names by patterns. */
export const SENSITIVE_GLOBS: readonly string[] = [
  ...[".env", ".env.*", "id_rsa*", "id_dsa*", "id_ecdsa*", "id_ed25519*"],
  ...["*.pem", "*.key", "*.p12", "*.pfx", "*.jks", "*.keystore"],
  ...["*.tfstate", "*.tfstate.*", "*.tfvars", "*.tfvars.json"],
  ...SECRET_NAMES,
  ...["*credentials*.json", "service-account*.json", "gha-creds-*.json"],
  ...["secrets", "credentials"].flatMap((name) => DATA_ENDINGS.map((ending) => `${name}.${ending}`)),
];

/** What `.env.*` does not mean: they show which variables there are. */
export const HARMLESS_ENV_FILES: readonly string[] = [
  ".env.example",
  ".env.sample",
  ".env.template",
  ".env.dist",
];
