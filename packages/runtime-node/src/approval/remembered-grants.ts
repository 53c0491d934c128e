import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type ApprovalRequest,
  canonicalJson,
  type Grant,
  type GrantMatch,
  grantCovers,
  type RememberScope,
} from "@haft/core";
import { isMissing } from "../workspace/system-error.js";
import { removePrivateFile, writePrivateFile } from "./private-file.js";

/** A grant that somebody chose to remember. */
export interface SavedGrant extends Grant {
  readonly scope: RememberScope;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly expiresAt?: string;
}

export interface SaveGrantOptions {
  readonly scope: RememberScope;
  readonly expiresInMs?: number;
}

/**
 * What need not be asked again. Session grants live in memory and end with the runtime; project
 * grants are private files beside the workspace's journal, read anew each time, so that revoking one
 * in any process is seen by all.
 */
export class RememberedGrants {
  readonly #directory: string;
  readonly #isProtected: (path: string) => boolean;
  readonly #session = new Map<string, SavedGrant>();

  constructor(directory: string, isProtected: (path: string) => boolean) {
    this.#directory = directory;
    this.#isProtected = isProtected;
  }

  /** The grant that covers everything a request would do, if there is one. */
  covering(request: ApprovalRequest): SavedGrant | undefined {
    return this.list().find((grant) => grantCovers(grant, request) && this.#namesProtected(grant, request));
  }

  list(): readonly SavedGrant[] {
    return [...this.#session.values(), ...this.#project()].filter(isInForce);
  }

  async save({ label, match }: Grant, { scope, expiresInMs }: SaveGrantOptions): Promise<SavedGrant> {
    const known = this.list().find((grant) => isSame(grant, match, scope) && grant.expiresAt === undefined);
    if (known !== undefined) return known;
    const saved: SavedGrant = {
      id: randomUUID(),
      label,
      match,
      scope,
      createdAt: new Date().toISOString(),
      ...(expiresInMs === undefined ? {} : { expiresAt: new Date(Date.now() + expiresInMs).toISOString() }),
    };
    if (scope === "session") this.#session.set(saved.id, saved);
    else await writePrivateFile(this.#file(saved.id), JSON.stringify(saved));
    return saved;
  }

  /** False when there is no such grant. */
  async revoke(id: string): Promise<boolean> {
    if (this.#session.delete(id)) return true;
    return IS_ID.test(id) && removePrivateFile(this.#file(id));
  }

  /** A path that can run as code later is covered only where the grant names it. */
  #namesProtected({ match }: Grant, { changes }: ApprovalRequest): boolean {
    const touched = changes.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from]));
    return touched.every((path) => match.paths?.includes(path) === true || !this.#isProtected(path));
  }

  #project(): readonly SavedGrant[] {
    return fileNames(this.#directory).flatMap((name) => {
      const grant = readGrant(join(this.#directory, name));
      return grant === undefined ? [] : [grant];
    });
  }

  #file(id: string): string {
    return join(this.#directory, `${id}.json`);
  }
}

const IS_ID = /^[a-f0-9-]{1,64}$/;

function fileNames(directory: string): readonly string[] {
  try {
    return readdirSync(directory).filter((name) => name.endsWith(".json"));
  } catch (cause) {
    if (isMissing(cause)) return [];
    throw cause;
  }
}

/** Undefined for what is not a grant: it then grants nothing. */
function readGrant(file: string): SavedGrant | undefined {
  try {
    const { id, label, match, scope, createdAt, expiresAt } = JSON.parse(readFileSync(file, "utf8"));
    const isGrant =
      typeof id === "string" && typeof match?.tool === "string" && typeof match.role === "string";
    if (!isGrant || scope !== "project") return undefined;
    return { id, label, match, scope, createdAt, ...(expiresAt === undefined ? {} : { expiresAt }) };
  } catch {
    return undefined;
  }
}

function isInForce({ expiresAt }: SavedGrant): boolean {
  return expiresAt === undefined || Date.parse(expiresAt) > Date.now();
}

function isSame(grant: SavedGrant, match: GrantMatch, scope: RememberScope): boolean {
  return grant.scope === scope && canonicalJson(grant.match) === canonicalJson(match);
}
