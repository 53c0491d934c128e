import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FileRunJournalStore } from "@haft/agent/node";
import { memorySharedStore, type SharedStore } from "@haft/core/calls";
import { fileSharedStore } from "@haft/runtime-node/shared-store";
import { postgresStore } from "@haft/store-postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { describeUnless } from "../../../tooling/testing/describe-unless.js";
import { noPostgres, type PostgresServer, startPostgres } from "../../../tooling/testing/start-postgres.js";
import { actAll, TENANT_ACTS, TENANT_REMOVALS, viewOf } from "./fixtures/tenant-script.js";

/** Names that a store could confuse: in a pattern, an index or a file name, or by shortening or decoding them. */
const NEIGHBOURS: Readonly<Record<string, readonly [string, string]>> = {
  "two plain names": ["acme", "zenith"],
  "letter case": ["acme", "Acme"],
  "SQL patterns": ["%", "acme"],
  "SQL in the name": ["acme' OR '1'='1", "acme"],
  "a path above": ["../acme", "acme"],
  "a blank at the end": ["acme ", "acme"],
  NUL: ["acme\0", "acme"],
  "how NUL is encoded": ["acme\0", 'json:"acme\\u0000"'],
  "composed and decomposed letters": ["caf\u00e9", "cafe\u0301"],
  "half a surrogate pair": ["\ud83d", "\ude00"],
  "long names that differ at the end": [`${"x".repeat(500)}1`, `${"x".repeat(500)}2`],
  "an empty name": ["", "acme"],
};

function describeIsolation(name: string, open: () => Promise<SharedStore>): void {
  describe(`tenants of a store: ${name}`, () => {
    for (const [title, [one, other]] of Object.entries(NEIGHBOURS))
      it(`FP5 a tenant gets the results of a separate store, and does not affect its neighbour: ${title}`, async () => {
        const alone = await open();
        const shared = await open();
        const theirs = { tenant: one, text: "theirs" };
        const mine = { tenant: other, text: "mine" };
        const expected = await actAll(alone, TENANT_ACTS, mine);
        await actAll(shared, TENANT_ACTS, theirs);
        const before = await viewOf(shared, one);
        expect(JSON.stringify(before)).toContain("theirs");
        expect(await actAll(shared, TENANT_ACTS, mine)).toEqual(expected);
        expect(await viewOf(shared, other)).toEqual(await viewOf(alone, other));
        expect(await actAll(shared, TENANT_REMOVALS, mine)).toEqual(
          await actAll(alone, TENANT_REMOVALS, mine),
        );
        expect(await viewOf(shared, one)).toEqual(before);
        expect(JSON.stringify(await viewOf(shared, other))).not.toContain("theirs");
        await alone.close();
        await shared.close();
      });

    it("FP5 the script above uses every operation of the store", async () => {
      const store = await open();
      const used = new Map<string, Set<string>>();
      const watched = watchedStore(store, used);
      await actAll(watched, { ...TENANT_ACTS, ...TENANT_REMOVALS }, { tenant: "acme", text: "" });
      const parts = Object.entries(partsOf(store)) as [keyof ReturnType<typeof partsOf>, object][];
      for (const [part, object] of parts) {
        const needed = operationsOf(partsOf(memorySharedStore())[part]);
        const offered = operationsOf(object).filter((each) => needed.includes(each));
        expect(offered).toEqual(expect.arrayContaining([...needed]));
        // Hints carry no records.
        expect(needed.filter((each) => each !== "watch" && !used.get(part)?.has(each))).toEqual([]);
      }
      await store.close();
    });
  });
}

/** Returns a separate folder for every name, even for those that no file system accepts. */
function folderOf(tenant: string): string {
  return createHash("sha256").update(tenant, "utf16le").digest("hex");
}

const folder = mkdtempSync(join(tmpdir(), "haft-tenants-"));
let count = 0;
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describeIsolation("memory", async () => memorySharedStore());
describeIsolation("files", async () => {
  count += 1;
  const directory = join(folder, String(count));
  return fileSharedStore({
    directory,
    runs: (tenant) => new FileRunJournalStore(join(directory, "runs", folderOf(tenant))) as never,
  });
});

describeUnless(noPostgres(), "PostgreSQL", () => {
  let server: PostgresServer | undefined;
  beforeAll(async () => {
    server = await startPostgres();
  }, 60_000);
  afterAll(() => server?.[Symbol.asyncDispose](), 60_000);
  describeIsolation("PostgreSQL", async () => {
    count += 1;
    const store = postgresStore({
      url: (server as PostgresServer).url,
      schema: `tenants_${count}`,
      maxConnections: 3,
    });
    await store.migrate();
    return store;
  });
});

function partsOf(store: SharedStore) {
  return {
    calls: store.calls,
    members: store.members,
    approvals: store.approvals("acme"),
    grants: store.grants({ tenant: "acme", workspace: "ws" }),
    audit: store.audit("acme"),
    runs: store.runs("acme"),
  };
}

/** Records the called operations, by part. */
function watchedStore(store: SharedStore, used: Map<string, Set<string>>): SharedStore {
  const watched = <T extends object>(part: string, object: T): T => {
    const names = used.get(part) ?? new Set();
    used.set(part, names);
    return new Proxy(object, {
      get: (target, name) => {
        names.add(String(name));
        const value: unknown = Reflect.get(target, name);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
  };
  return {
    calls: watched("calls", store.calls),
    members: watched("members", store.members),
    approvals: (tenant) => watched("approvals", store.approvals(tenant)),
    grants: (key) => watched("grants", store.grants(key)),
    audit: (tenant) => watched("audit", store.audit(tenant)),
    runs: (tenant) => watched("runs", store.runs(tenant)),
    close: () => store.close(),
  };
}

/** Returns the methods of an object, including those of its class. */
function operationsOf(object: object): readonly string[] {
  const own = [object, Object.getPrototypeOf(object)].filter((each) => each !== Object.prototype);
  const names = own.flatMap((each) => Object.getOwnPropertyNames(each));
  return names.filter(
    (name) => name !== "constructor" && typeof (object as Record<string, unknown>)[name] === "function",
  );
}
