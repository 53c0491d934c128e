import type { Member, MemberStore } from "@haft/core/calls";
import type { Database } from "./database.js";
import { keyText } from "./key-text.js";

export function postgresMemberStore({ query }: Database): MemberStore {
  return {
    put: async (member) => {
      await query(
        `INSERT INTO haft.member (tenant, id, body) VALUES ($1, $2, $3)
         ON CONFLICT (tenant, id) DO UPDATE SET body = excluded.body`,
        [keyText(member.tenant), keyText(member.id), JSON.stringify(member)],
      );
    },
    list: async (tenant) => {
      const rows = await query("SELECT body FROM haft.member WHERE tenant = $1 ORDER BY id", [
        keyText(tenant),
      ]);
      return rows.map(({ body }) => JSON.parse(body as string) as Member);
    },
    remove: async ({ tenant, id }) => {
      const rows = await query("DELETE FROM haft.member WHERE tenant = $1 AND id = $2 RETURNING 1", [
        keyText(tenant),
        keyText(id),
      ]);
      return rows.length > 0;
    },
  };
}
