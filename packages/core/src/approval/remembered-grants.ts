import type { ApprovalRequest, Grant, GrantMatch } from "./approval.js";
import type { RememberGrant, RememberScope } from "./approval-answer.js";
import { grantCovers } from "./approval-request.js";
import { canonicalJson } from "./canonical-json.js";
import type { GrantStore, Grants, SavedGrant } from "./grants.js";

/**
 * The remembered answers. Session grants live in memory and end with the runtime. Project grants live in
 * a store that is read every time, so a grant revoked in one process stops counting in all.
 */
export class RememberedGrants implements Grants {
  readonly #store: GrantStore;
  readonly #isProtected: (path: string) => boolean;
  readonly #session = new Map<string, SavedGrant>();

  constructor(store: GrantStore, isProtected: (path: string) => boolean) {
    this.#store = store;
    this.#isProtected = isProtected;
  }

  async covering(request: ApprovalRequest): Promise<SavedGrant | undefined> {
    const saved = await this.list();
    return saved.find((grant) => grantCovers(grant, request) && this.#namesProtected(grant, request));
  }

  /** The grants in force. */
  async list(): Promise<readonly SavedGrant[]> {
    return [...this.#session.values(), ...(await this.#store.list())].filter(isInForce);
  }

  async save(
    { label, match, shown }: Grant,
    { scope, expiresInMs }: Omit<RememberGrant, "grant">,
  ): Promise<SavedGrant> {
    const saved = await this.list();
    const known = saved.find((grant) => isSame(grant, match, scope) && grant.expiresAt === undefined);
    if (known !== undefined) return known;
    const grant: SavedGrant = {
      id: crypto.randomUUID(),
      label,
      match,
      ...(shown !== undefined && { shown }),
      scope,
      createdAt: new Date().toISOString(),
      ...(expiresInMs === undefined ? {} : { expiresAt: new Date(Date.now() + expiresInMs).toISOString() }),
    };
    if (scope === "session") this.#session.set(grant.id, grant);
    else await this.#store.insert(grant);
    return grant;
  }

  /** Returns false if the grant does not exist. */
  async revoke(id: string): Promise<boolean> {
    return this.#session.delete(id) || this.#store.remove(id);
  }

  /** A grant covers a protected path only if it names that path. */
  #namesProtected({ match }: Grant, { changes }: ApprovalRequest): boolean {
    const touched = changes.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from]));
    return touched.every((path) => match.paths?.includes(path) === true || !this.#isProtected(path));
  }
}

function isInForce({ expiresAt }: SavedGrant): boolean {
  return expiresAt === undefined || Date.parse(expiresAt) > Date.now();
}

function isSame(grant: SavedGrant, match: GrantMatch, scope: RememberScope): boolean {
  return grant.scope === scope && canonicalJson(grant.match) === canonicalJson(match);
}
