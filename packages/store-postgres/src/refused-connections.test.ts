import pg from "pg";
import { expect, it } from "vitest";
import { describeUnless } from "../../../tooling/testing/describe-unless.js";
import { noPostgres } from "../../../tooling/testing/start-postgres.js";
import { testServer } from "./fixtures/open-schema.js";
import { postgresStore } from "./index.js";

describeUnless(noPostgres(), "a database that cannot be used as it is", () => {
  const servers = testServer();

  const administer = async (...statements: readonly string[]) => {
    const client = new pg.Client(servers.server.url);
    await client.connect();
    const answers = [];
    for (const statement of statements) answers.push(await client.query(statement));
    await client.end();
    return answers;
  };
  const failure = async (change: (url: URL) => void) => {
    const url = new URL(servers.server.url);
    change(url);
    const store = postgresStore({ url: url.href, schema: "refused", listenUrl: false });
    const error = await store.calls.claim({ worker: "w", limit: 1 }).catch((cause) => cause);
    await store.close();
    return error;
  };

  it("FP5 a wrong password is named, with the place to correct it", async () => {
    const [file] = await administer("SHOW hba_file");
    const path = file?.rows[0].hba_file;
    await administer(
      "CREATE ROLE secretive LOGIN PASSWORD 'right'",
      `COPY (VALUES ('host all secretive 127.0.0.1/32 scram-sha-256'), ('host all all 127.0.0.1/32 trust')) TO '${path}'`,
      "SELECT pg_reload_conf()",
    );
    let error = await failure(login("secretive", "wrong"));
    // The server reloads its settings in its own time.
    while (error.message.includes("no schema")) error = await failure(login("secretive", "wrong"));
    expect(error).toMatchObject({
      code: "STORE_UNAVAILABLE",
      message: expect.stringContaining("rejected the login (password authentication failed"),
      hint: expect.stringContaining("Check user and password"),
    });
    expect((await failure(login("nobody_here", ""))).message).toContain('role "nobody_here" does not exist');
  });

  it("FP5 a database that does not exist is named", async () => {
    const error = await failure((url) => {
      url.pathname = "/nope";
    });
    expect(error.message).toBe('The database does not exist (database "nope" does not exist)');
    expect(error.hint).toContain("createdb");
  });

  it("FP5 a user without rights is told which rights migrating and working need", async () => {
    await administer("CREATE ROLE weak LOGIN", "CREATE SCHEMA IF NOT EXISTS refused");
    const url = new URL(servers.server.url);
    login("weak", "")(url);
    const store = postgresStore({ url: url.href, schema: "other", listenUrl: false });
    await expect(store.migrate()).rejects.toMatchObject({
      message: "The database user lacks a privilege (permission denied for database postgres)",
      hint: expect.stringContaining("USAGE on the schema other, SELECT, INSERT, UPDATE and DELETE"),
    });
    await store.close();
  });

  it("FP5 a replica, which accepts only reads, is told from the primary", async () => {
    const store = await servers.open();
    const url = new URL(servers.server.url);
    url.searchParams.set("options", "-c default_transaction_read_only=on");
    const replica = servers.reopen(store.schema, { url: url.href });
    await expect(replica.calls.submit(CALL)).rejects.toMatchObject({
      message: expect.stringContaining("accepts only reads"),
      hint: expect.stringContaining("primary"),
      details: { retryAfterMs: 1_000 },
    });
  });

  it("FP5 a server without free connections says so, and that one may try again", async () => {
    await administer("CREATE ROLE crowded LOGIN CONNECTION LIMIT 0");
    expect(await failure(login("crowded", ""))).toMatchObject({
      message: 'The database answered with an error (too many connections for role "crowded")',
      details: { retryAfterMs: 1_000 },
    });
  });

  it("FP5 an older schema is refused before the first operation, a newer one is used", async () => {
    const store = await servers.open();
    const table = `${store.schema}.migration`;
    await administer(`UPDATE ${table} SET version = 1002 WHERE version = 2`);
    expect(await servers.reopen(store.schema).calls.claim({ worker: "w", limit: 1 })).toEqual([]);
    await administer(`DELETE FROM ${table} WHERE version = 1002`);
    const program = servers.reopen(store.schema);
    await expect(program.calls.claim({ worker: "w", limit: 1 })).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
      message: `The schema ${store.schema} has version 1; this program needs 2`,
      hint: expect.stringContaining("haft store migrate"),
    });
    await administer(`INSERT INTO ${table} (version) VALUES (2)`);
    expect(await program.calls.claim({ worker: "w", limit: 1 })).toEqual([]);
  });

  it("FP5 a migration waits for another process longer than a statement may take", async () => {
    const holder = new pg.Client(servers.server.url);
    await holder.connect();
    await holder.query("BEGIN");
    await holder.query("SELECT pg_advisory_xact_lock(hashtextextended('haft.migrate slow', 0))");
    const migrating = servers.reopen("slow", { statementMs: 200 }).migrate();
    await new Promise((resolve) => setTimeout(resolve, 600));
    await holder.query("COMMIT");
    await holder.end();
    expect(await migrating).toEqual([1, 2]);
  });
});

const login = (user: string, password: string) => (url: URL) => {
  url.username = user;
  url.password = password;
};

const CALL = {
  tenant: "acme",
  workspace: "ws",
  callId: "c1",
  tool: "t",
  args: {},
  principal: "p",
  session: "s",
};
