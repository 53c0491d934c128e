/**
 * Whether a name holds secrets: the only list, used by the guard of every tool and by the exclusions passed to
 * commands. Takes the lower-case segments of a path, never substrings.
 */
export function isSensitiveName(parts: readonly string[]): boolean {
  if (parts.some(isEnvironmentFile)) return true;
  if (SECRET_DIRECTORIES.some((directory) => isBelow(parts, directory))) return true;
  if (SECRET_ENDS.some((end) => endsWith(parts, end)) || isGitStore(parts)) return true;
  const name = parts.at(-1) ?? "";
  return SECRET_NAMES.has(name) || SECRET_PATTERNS.some((pattern) => pattern.test(name)) || isLoosely(name);
}

/**
 * Pre-check: whether a path needs the full check of its segments. One test replaces twenty for most paths. It never
 * misses a sensitive name: folding an ASCII segment only lowers its case and trims its end. So every prefix, infix or
 * suffix that a rule tests occurs in the path itself. Any other path, such as a non-ASCII one, gets the full check.
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
 * Names that source code uses too: `credentials.ts` handles credentials, `secrets.md` describes them,
 * `credentials.yml` holds them. See docs/decisions/0006-sensitive-names.md.
 */
function isLoosely(name: string): boolean {
  return (
    LOOSE_PATTERNS.some((pattern) => pattern.test(name)) && !SOURCE_CODE.test(name) && !DOCUMENT.test(name)
  );
}

/**
 * Git's own sensitive files: `objects` contains everything ever committed, including secrets, and `config` often
 * contains a URL with a password.
 */
export function isGitStore(parts: readonly string[]): boolean {
  const start = parts.indexOf(".git");
  if (start < 0) return false;
  const objects = parts.indexOf("objects", start + 1);
  return (objects > 0 && objects < parts.length - 1) || GIT_CONFIGS.has(parts.at(-1) ?? "");
}

/** The `.git` folder itself, and its folders that hold objects or settings. */
const GIT_FOLDERS: ReadonlySet<string> = new Set(["", "objects", "modules", "worktrees", "lfs"]);
const GIT_CONFIGS: ReadonlySet<string> = new Set(["config", "config.worktree"]);

/** Strictly below: listing the names in a directory is allowed. */
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

/** Directories that hold only secrets, for programs that can exclude directories while walking. */
export const SENSITIVE_FOLDERS: readonly string[] = [".ssh", ".gnupg", ".aws"];

/**
 * Directories that hold secrets among other things, under names that reveal nothing. A program that can only exclude
 * by name excludes them entirely.
 */
export const PARTLY_SENSITIVE_FOLDERS: readonly string[] = [".docker", ".kube", ".config", ".git"];

/** Sensitive locations as globs, for programs that can exclude by path. */
export const SENSITIVE_PATH_GLOBS: readonly string[] = [
  ...SENSITIVE_FOLDERS.map((name) => `${name}/**`),
  ...[".config/gcloud/**", ".config/gh/**", ".kube/config", ".docker/config.json"],
  ...[".git/config", ".git/**/config", ".git/**/config.worktree", ".git/objects/**", ".git/**/objects/**"],
];

/** Whether this directory contains a sensitive location: access to the directory includes it. */
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

/** Documents about secrets. Plain text is not included: people keep passwords in it. */
const DOCUMENT = /\.(?:mdx?|markdown|rst|adoc|asciidoc|org|tex)$/;

/** For names that source code uses too, only data files are excluded. */
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

/** The same as globs, as closely as `*` allows, for programs that exclude names by pattern. */
export const SENSITIVE_GLOBS: readonly string[] = [
  ...[".env", ".env.*", "id_rsa*", "id_dsa*", "id_ecdsa*", "id_ed25519*"],
  ...["*.pem", "*.key", "*.p12", "*.pfx", "*.jks", "*.keystore"],
  ...["*.tfstate", "*.tfstate.*", "*.tfvars", "*.tfvars.json"],
  ...SECRET_NAMES,
  ...["*credentials*.json", "service-account*.json", "gha-creds-*.json"],
  ...["secrets", "credentials"].flatMap((name) => DATA_ENDINGS.map((ending) => `${name}.${ending}`)),
];

/** Exceptions to `.env.*`: templates that show which variables exist. */
export const HARMLESS_ENV_FILES: readonly string[] = [
  ".env.example",
  ".env.sample",
  ".env.template",
  ".env.dist",
];
