import type { GrantStore, SavedGrant } from "../approval/grants.js";

/** Grants in memory. */
export function memoryGrantStore(): GrantStore {
  const grants = new Map<string, SavedGrant>();
  return {
    insert: async (grant) => {
      grants.set(grant.id, structuredClone(grant));
    },
    list: async () => [...grants.values()].sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1)),
    remove: async (id) => grants.delete(id),
  };
}
