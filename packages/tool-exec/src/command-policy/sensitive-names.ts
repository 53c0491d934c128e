import { wordList } from "./word-list.js";
/** Files whose contents no command may print: names with `*`, compared without regard to case. */
export const sensitiveFiles: readonly string[] = wordList(
  ".env .env.* id_rsa id_dsa id_ecdsa id_ed25519 *.pem *.key *.p12 *.pfx *.jks *.keystore *.tfstate",
  "*.tfvars .npmrc .pypirc .netrc .pgpass .htpasswd .git-credentials .vault-token .dev.vars credentials",
  "*credentials*.json service-account*.json gha-creds-*.json secrets.yml secrets.yaml secrets.json",
  "secrets.toml wallet.dat",
);

export const sensitiveFolders: readonly string[] = [".ssh", ".gnupg", ".aws"];

export const sensitivePaths: readonly string[] = wordList(
  ".kube/config .docker/config.json .config/gcloud .config/gh",
);

export const harmlessFiles: readonly string[] = wordList(".env.example .env.sample .env.template .env.dist");

/** By name alone, at any depth; the host adds links and hard links. */
export function isSensitiveName(path: string): boolean {
  const segments = path
    .toLowerCase()
    .split("/")
    .filter((segment) => segment !== "" && segment !== ".");
  if (segments.some((segment) => sensitiveFolders.includes(segment))) return true;
  const joined = `/${segments.join("/")}/`;
  if (sensitivePaths.some((tail) => joined.includes(`/${tail}/`))) return true;
  return segments.some(isSensitiveSegment);
}

function isSensitiveSegment(segment: string): boolean {
  if (harmlessFiles.includes(segment)) return false;
  return sensitiveFiles.some((pattern) => matchesName(segment, pattern));
}

function matchesName(name: string, pattern: string): boolean {
  const parts = pattern.split("*");
  const first = parts[0] ?? "";
  const last = parts.at(-1) ?? "";
  if (parts.length === 1) return name === pattern;
  if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length)
    return false;
  return parts.slice(1, -1).every((part) => name.includes(part));
}
