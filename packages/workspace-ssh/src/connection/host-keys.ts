import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";

/** How the other machine proves its identity. */
export interface HostKeyOptions {
  readonly host: string;
  readonly port?: number | undefined;
  /** Fingerprints of the keys to accept, as `ssh-keygen -lf` prints them: "SHA256:…". Instead of a known_hosts file. */
  readonly hostKeys?: readonly string[] | undefined;
  /** The file of known hosts. Default: `~/.ssh/known_hosts`. */
  readonly knownHosts?: string | undefined;
}

/** Returns a function that accepts exactly the known keys of a host. Without any known key it accepts none. */
export async function hostVerifier(options: HostKeyOptions): Promise<(key: Buffer) => boolean> {
  const { hostKeys } = options;
  if (hostKeys !== undefined) return (key) => hostKeys.some((known) => isFingerprint(known, key));
  const file = options.knownHosts ?? join(homedir(), ".ssh", "known_hosts");
  const lines = (await readFile(file, "utf8").catch(() => "")).split(/\r?\n/);
  const entries = lines.flatMap((line) => parseLine(line, nameOf(options)) ?? []);
  return (key) => {
    const same = entries.filter((entry) => entry.key.equals(key));
    return same.length > 0 && same.every((entry) => !entry.isRevoked);
  };
}

/** In OpenSSH's notation: the port only if it is not 22. */
function nameOf({ host, port = 22 }: HostKeyOptions): string {
  return (port === 22 ? host : `[${host}]:${port}`).toLowerCase();
}

interface KnownKey {
  readonly key: Buffer;
  readonly isRevoked: boolean;
}

/** Returns the key of a line that matches the host. Certificate authorities are not supported and are ignored. */
function parseLine(line: string, host: string): KnownKey | undefined {
  const fields = line.trim().split(/\s+/);
  const marker = fields[0]?.startsWith("@") === true ? fields.shift() : undefined;
  const [hosts, , key] = fields;
  if (hosts === undefined || key === undefined || hosts.startsWith("#")) return undefined;
  if (marker !== undefined && marker !== "@revoked") return undefined;
  if (!speaksOf(hosts, host)) return undefined;
  return { key: Buffer.from(key, "base64"), isRevoked: marker === "@revoked" };
}

function speaksOf(hosts: string, host: string): boolean {
  if (hosts.startsWith("|1|")) return isHashed(hosts, host);
  const patterns = hosts.toLowerCase().split(",");
  if (patterns.some((pattern) => pattern.startsWith("!") && matches(pattern.slice(1), host))) return false;
  return patterns.some((pattern) => !pattern.startsWith("!") && matches(pattern, host));
}

function isHashed(hashed: string, host: string): boolean {
  const [, , salt = "", digest = ""] = hashed.split("|");
  const expected = Buffer.from(digest, "base64");
  const actual = createHmac("sha1", Buffer.from(salt, "base64")).update(host).digest();
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}

/** `*` and `?` are the only wildcards. Compared without a regular expression, so that no pattern is slow. */
function matches(pattern: string, host: string): boolean {
  let reached = new Set([0]);
  for (const wanted of pattern) {
    const next = new Set<number>();
    for (const at of reached) {
      if (wanted === "*") for (let to = at; to <= host.length; to += 1) next.add(to);
      else if (at < host.length && (wanted === "?" || wanted === host[at])) next.add(at + 1);
    }
    reached = next;
  }
  return reached.has(host.length);
}

function isFingerprint(known: string, key: Buffer): boolean {
  const digest = createHash("sha256").update(key).digest("base64").replace(/=+$/, "");
  return known.trim().replace(/=+$/, "") === `SHA256:${digest}`;
}
