import { ToolError } from "@haft/core";

/** Describes a failure of the database to a caller. A failure that was described already is returned as it is. */
export function storeError(cause: unknown, schema: string): ToolError {
  if (ToolError.is(cause)) return cause;
  const { code, message = "no reason given" } = cause as Partial<NodeJS.ErrnoException>;
  const known = typeof code === "string" ? KNOWN.find(([pattern]) => pattern.test(code)) : undefined;
  if (known !== undefined) {
    const fill = (text: string) => text.replace("SCHEMA", () => schema).replace("REASON", () => message);
    return new ToolError("STORE_UNAVAILABLE", fill(known[1]), {
      hint: fill(known[2]),
      ...(PASSING.test(code as string) && { details: RETRY }),
      cause,
    });
  }
  const answered = typeof code === "string" && SQLSTATE.test(code);
  return new ToolError(
    "STORE_UNAVAILABLE",
    answered
      ? `The database answered with an error (${message})`
      : `The database did not answer (${message})`,
    {
      hint: "Nothing was stored by this attempt, as far as is known. Check the database, then try again.",
      details: RETRY,
      cause,
    },
  );
}

/** Returns whether the server rejected a statement because of its content or a deadlock. It then had no effect. */
export function isRefusedStatement(error: unknown): boolean {
  const { code } = ((error as Error).cause ?? {}) as { readonly code?: unknown };
  return typeof code === "string" && REFUSED.test(code);
}

const REFUSED = /^(?:22|23|40|54)[0-9A-Z]{3}$/;
/** A conflict with other transactions, a server that has just become a replica, and a name server that fails. */
const PASSING = /^(?:40[0-9A-Z]{3}|25006|ENOTFOUND)$/;
const RETRY = { retryAfterMs: 1_000 };
const SQLSTATE = /^[0-9A-Z]{5}$/;

/** Errors that a person has to remedy, by code. A server that starts, stops, is full or follows a primary may recover by itself. */
const KNOWN: readonly (readonly [code: RegExp, text: string, hint: string])[] = [
  [
    /^(?:42P01|3F000|42883|42703)$/,
    "The schema SCHEMA is missing or older than this program",
    "Run: haft store migrate --store URL",
  ],
  [
    REFUSED,
    "The database refused a statement (REASON)",
    "This statement stored nothing. Check the database and its log.",
  ],
  [
    /^28/,
    "The database rejected the login (REASON)",
    "Check user and password in the address of the store, and pg_hba.conf of the server.",
  ],
  [
    /^3D000$/,
    "The database does not exist (REASON)",
    "Create it with createdb, or correct the name after the last slash in the address of the store.",
  ],
  [
    /^42501$/,
    "The database user lacks a privilege (REASON)",
    "To migrate, it needs CREATE on the database; to work, it needs USAGE on the schema SCHEMA, SELECT, INSERT, UPDATE and DELETE on its tables, and EXECUTE on its functions. Grant them, or use the user who migrated.",
  ],
  [
    /^25006$/,
    "The database accepts only reads (REASON)",
    "The address of the store leads to a replica. Use one that leads to the primary.",
  ],
  [
    /^ENOTFOUND$/,
    "The host of the database could not be resolved (REASON)",
    "Correct the host in the address of the store.",
  ],
];
