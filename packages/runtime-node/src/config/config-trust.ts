import { createHash } from "node:crypto";
import { closeSync, fstatSync, readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { removePrivateFile, writePrivateFile } from "../approval/private-file.js";
import { assertPrivateState } from "../journal/private-state.js";
import { stateHome } from "../journal/state-directory.js";
import { openStateFile } from "../journal/state-file.js";
import type { Environment } from "../secrets/scrubbed-environment.js";
import type { ConfigSnapshot, SnapshotFile } from "./config-snapshot.js";

/** A person's answer about the exact content of one configuration. */
export interface TrustRecord {
  /** Where the configuration was found: `ConfigSnapshot.file`. */
  readonly file: string;
  readonly digest: string;
  readonly files: readonly Pick<SnapshotFile, "path" | "sha256">[];
  readonly decision: "trusted" | "declined";
  /** ISO 8601. */
  readonly decidedAt: string;
}

/**
 * Remembers which configurations a person has trusted. Records are private files in the user's state folder, outside
 * every workspace. A record applies to one place and one digest.
 */
export class ConfigTrust {
  readonly #home: string;

  constructor(env: Environment = process.env) {
    this.#home = stateHome(env);
  }

  /** Returns undefined if no user has decided about this content. */
  async decisionOn(snapshot: ConfigSnapshot): Promise<TrustRecord["decision"] | undefined> {
    const record = readRecord(this.#fileFor(snapshot));
    const isAboutIt = record?.file === snapshot.file && record.digest === snapshot.digest;
    return isAboutIt ? record.decision : undefined;
  }

  async decide(snapshot: ConfigSnapshot, decision: TrustRecord["decision"]): Promise<void> {
    const { file, digest } = snapshot;
    const files = snapshot.files.map(({ path, sha256 }) => ({ path, sha256 }));
    const record: TrustRecord = { file, digest, files, decision, decidedAt: new Date().toISOString() };
    await writePrivateFile(this.#fileFor(snapshot), `${JSON.stringify(record)}\n`);
  }

  /** Returns every trusted configuration, oldest first. */
  async list(): Promise<readonly TrustRecord[]> {
    const folder = this.#folder();
    const records = (await this.#names()).map((name) => readRecord(join(folder, name)));
    return records
      .filter((record) => record?.decision === "trusted")
      .sort((a, b) =>
        (a as TrustRecord).decidedAt < (b as TrustRecord).decidedAt ? -1 : 1,
      ) as TrustRecord[];
  }

  /** Deletes every decision about the configuration in one place. Returns how many contents were trusted. */
  async revoke(file: string): Promise<number> {
    const trusted = (await this.list()).filter((record) => record.file === file).length;
    const own = (await this.#names()).filter((name) => name.startsWith(`${hashOf(file)}.`));
    await Promise.all(own.map((name) => removePrivateFile(join(this.#folder(), name))));
    return trusted;
  }

  async #names(): Promise<readonly string[]> {
    const names = await readdir(this.#folder()).catch(() => []);
    return names.filter((name) => name.endsWith(".json"));
  }

  #fileFor({ file, digest }: ConfigSnapshot): string {
    return join(this.#folder(), `${hashOf(file)}.${digest.slice(0, 32)}.json`);
  }

  /** Throws STATE_NOT_PRIVATE if another user could have written the records. */
  #folder(): string {
    const folder = join(this.#home, "trust");
    for (const each of [this.#home, folder]) assertPrivateState(each);
    return folder;
  }
}

function hashOf(file: string): string {
  return createHash("sha256").update(file).digest("hex").slice(0, 32);
}

/** SECURITY: ignores a record that another user could have written. */
function readRecord(file: string): TrustRecord | undefined {
  const descriptor = openIfFile(file);
  if (descriptor === undefined) return undefined;
  try {
    const { uid, mode, size } = fstatSync(descriptor);
    const isOurs = process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
    return isOurs && size <= MAX_RECORD_BYTES ? parseRecord(readFileSync(descriptor, "utf8")) : undefined;
  } finally {
    closeSync(descriptor);
  }
}

function openIfFile(file: string): number | undefined {
  try {
    return openStateFile(file);
  } catch {
    return undefined;
  }
}

const MAX_RECORD_BYTES = 64 * 1024;

/** Returns undefined for a damaged record; the person is asked again. */
function parseRecord(text: string): TrustRecord | undefined {
  try {
    const record = JSON.parse(text) as TrustRecord;
    const { file, digest, decision } = record;
    const isWhole = typeof file === "string" && typeof digest === "string";
    return isWhole && (decision === "trusted" || decision === "declined") ? record : undefined;
  } catch {
    return undefined;
  }
}
