import type { SharedStore } from "@haft/core/calls";
import { postgresCallStore } from "./calls/postgres-call-store.js";
import { Database, type PostgresOptions } from "./database.js";
import { Hints } from "./hints.js";
import { assertSchema, migrate, SCHEMA_VERSION, schemaVersion } from "./migration/migrate.js";
import { postgresApprovalStore } from "./postgres-approval-store.js";
import { postgresAuditStore } from "./postgres-audit-store.js";
import { postgresGrantStore } from "./postgres-grant-store.js";
import { postgresMemberStore } from "./postgres-member-store.js";
import { postgresRunJournalStore } from "./postgres-run-journal-store.js";

/** A shared store in PostgreSQL. Close it to let the process end. */
export interface PostgresStore extends SharedStore {
  /** Brings the schema up to date. Safe from several processes. Returns the versions it applied. */
  migrate(): Promise<readonly number[]>;
  /** Returns the version of the schema, and the one this program needs. */
  version(): Promise<{ readonly found: number; readonly needed: number }>;
}

/** Opens a store. Connects with the first operation. */
export function postgresStore(given: string | PostgresOptions): PostgresStore {
  const options = typeof given === "string" ? { url: given } : given;
  const database = new Database(options, assertSchema);
  const { listenUrl = options.url } = options;
  const hints = new Hints(database, listenUrl === false ? undefined : listenUrl);
  const audits = new Map<string, ReturnType<typeof postgresAuditStore>>();
  return {
    calls: postgresCallStore(database, hints),
    members: postgresMemberStore(database),
    approvals: (tenant) => postgresApprovalStore(database, hints, tenant),
    grants: (key) => postgresGrantStore(database, key),
    audit: (tenant) => {
      const store = audits.get(tenant) ?? postgresAuditStore(database, tenant);
      audits.set(tenant, store);
      return store;
    },
    runs: (tenant) => postgresRunJournalStore(database, tenant),
    migrate: () => migrate(database),
    version: async () => ({ found: await schemaVersion(database), needed: SCHEMA_VERSION }),
    close: async () => {
      await hints.close();
      await database.close();
    },
  };
}
