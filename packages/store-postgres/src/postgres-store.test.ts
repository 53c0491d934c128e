import {
  type ContractStore,
  describeApprovalContract,
  describeAuditContract,
  describeCallContract,
  describeGrantContract,
  describeRunJournalContract,
} from "@haft/testing";
import { expect, it } from "vitest";
import { describeUnless } from "../../../tooling/testing/describe-unless.js";
import { noPostgres } from "../../../tooling/testing/start-postgres.js";
import { testServer } from "./fixtures/open-schema.js";
import type { PostgresStore } from "./postgres-store.js";

describeUnless(noPostgres(), "PostgreSQL", () => {
  const servers = testServer();

  /** One part of a store in an empty schema. */
  function part<T>(pick: (store: PostgresStore) => T): () => Promise<ContractStore<T>> {
    return async () => {
      const store = await servers.open();
      const others: PostgresStore[] = [];
      return {
        store: pick(store),
        reopen: () => {
          const other = servers.reopen(store.schema);
          others.push(other);
          return pick(other);
        },
        [Symbol.asyncDispose]: async () => {
          await Promise.all([store, ...others].map((each) => each.close().catch(() => {})));
        },
      };
    };
  }

  describeCallContract(
    "PostgreSQL",
    part(({ calls }) => calls),
  );
  describeApprovalContract(
    "PostgreSQL",
    part((store) => store.approvals("acme")),
  );
  describeGrantContract(
    "PostgreSQL",
    part((store) => store.grants({ tenant: "acme", workspace: "ws" })),
  );
  describeAuditContract(
    "PostgreSQL",
    part((store) => store.audit("acme")),
  );
  describeRunJournalContract(
    "PostgreSQL",
    part((store) => store.runs("acme")),
  );

  it("FP5 eight stores migrate an empty database at once; one applies the versions", async () => {
    const stores = Array.from({ length: 8 }, () => servers.reopen("race"));
    const applied = await Promise.all(stores.map((store) => store.migrate()));
    const { found, needed } = await (stores[0] as PostgresStore).version();
    expect(found).toBe(needed);
    expect(applied.flat()).toEqual(Array.from({ length: needed }, (_, index) => index + 1));
    expect(await (stores[0] as PostgresStore).migrate()).toEqual([]);
  });

  it("FP5 an empty database is reported with the command that sets it up", async () => {
    const store = servers.reopen("nothing_here");
    expect(await store.version()).toMatchObject({ found: 0 });
    await expect(store.calls.claim({ worker: "w", limit: 1 })).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
      hint: expect.stringContaining("haft store migrate"),
    });
  });
});
