import type { WorkspaceKey } from "@haft/core/calls";
import type { GrantStore, SavedGrant } from "@haft/core/stores";
import type { Database } from "./database.js";
import { keyText } from "./key-text.js";

/** The remembered answers of one workspace. */
export function postgresGrantStore({ query }: Database, { tenant, workspace }: WorkspaceKey): GrantStore {
  const place = [keyText(tenant), keyText(workspace)];
  return {
    insert: async (grant) => {
      await query(
        `INSERT INTO haft.saved_grant (tenant, workspace, id, created_at, body) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT DO NOTHING`,
        [...place, keyText(grant.id), grant.createdAt, JSON.stringify(grant)],
      );
    },
    list: async () => {
      const rows = await query(
        "SELECT body FROM haft.saved_grant WHERE tenant = $1 AND workspace = $2 ORDER BY created_at, id",
        place,
      );
      return rows.map(({ body }) => JSON.parse(body as string) as SavedGrant);
    },
    remove: async (id) => {
      const rows = await query(
        "DELETE FROM haft.saved_grant WHERE tenant = $1 AND workspace = $2 AND id = $3 RETURNING 1",
        [...place, keyText(id)],
      );
      return rows.length > 0;
    },
  };
}
