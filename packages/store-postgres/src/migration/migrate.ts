import { ToolError } from "@haft/core";
import type { Database } from "../database.js";
import { CLAIM_FUNCTIONS } from "./claim-functions.js";
import { FIRST_SCHEMA } from "./first-schema.js";
import { REPORT_FUNCTIONS } from "./report-functions.js";

/** In order; the version is the position in the list, counted from 1. Append only. */
const MIGRATIONS: readonly string[] = [FIRST_SCHEMA + CLAIM_FUNCTIONS, REPORT_FUNCTIONS];

export const SCHEMA_VERSION = MIGRATIONS.length;

/**
 * Brings the schema up to date and returns the versions that it applied. Safe to run from several processes: one
 * applies them, the others wait and find nothing to do.
 */
export async function migrate(database: Database): Promise<readonly number[]> {
  return database.transaction(async (query) => {
    await query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [`haft.migrate ${database.schema}`]);
    await query(`CREATE SCHEMA IF NOT EXISTS ${database.schema}`);
    await query(
      "CREATE TABLE IF NOT EXISTS haft.migration (version integer PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())",
    );
    const [row] = await query("SELECT coalesce(max(version), 0) AS version FROM haft.migration");
    const found = Number(row?.version);
    if (found > SCHEMA_VERSION) throw tooNew(database.schema, found);
    const missing = MIGRATIONS.map((_, index) => index + 1).filter((version) => version > found);
    for (const version of missing) {
      await query(MIGRATIONS[version - 1] as string);
      await query("INSERT INTO haft.migration (version) VALUES ($1)", [version]);
    }
    return missing;
  }, LONGEST_MS);
}

/** Waiting for another process and rebuilding a large table may take long. The longest time limit that a timer accepts. */
const LONGEST_MS = 2_147_483_647;

/** The version of the schema; 0 if there is none. */
export async function schemaVersion({ schema, queryAnySchema }: Database): Promise<number> {
  const [found] = await queryAnySchema("SELECT to_regclass($1) AS name", [`${schema}.migration`]);
  if (found?.name === null) return 0;
  const [row] = await queryAnySchema("SELECT coalesce(max(version), 0) AS version FROM haft.migration");
  return Number(row?.version);
}

/** Rejects if the schema is older than this program. A newer one only has additions. */
export async function assertSchema(database: Database): Promise<void> {
  const found = await schemaVersion(database);
  if (found >= SCHEMA_VERSION) return;
  const { schema } = database;
  throw new ToolError(
    "STORE_UNAVAILABLE",
    found === 0
      ? `The database has no schema ${schema}`
      : `The schema ${schema} has version ${found}; this program needs ${SCHEMA_VERSION}`,
    { hint: "Run: haft store migrate --store URL" },
  );
}

function tooNew(schema: string, found: number): ToolError {
  return new ToolError(
    "CONFIG_INVALID",
    `The schema ${schema} has version ${found}; this program knows versions up to ${SCHEMA_VERSION}`,
    { hint: "Nothing was changed. Use a newer haft." },
  );
}
