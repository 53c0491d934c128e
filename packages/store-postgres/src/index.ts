// Any export added here becomes public API: named exports only.
export type { PostgresOptions } from "./database.js";
export { type PostgresStore, postgresStore } from "./postgres-store.js";
