import { appendFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeCallContract } from "@haft/testing";
import { describe, expect, it } from "vitest";
import { FileCallStore } from "./file-call-store.js";
import { fileSharedStore } from "./file-shared-store.js";

const WS = { tenant: "acme", workspace: "ws" };
const CALL = { ...WS, tool: "t", args: { text: "odd \ud800\0\n" }, principal: "p", session: "s" };

/** Several stores over one folder. Disposing it closes all of them. */
function folder(maxBytes?: number) {
  const directory = mkdtempSync(join(tmpdir(), "haft-calls-"));
  const stores: FileCallStore[] = [];
  const open = () => {
    const store = new FileCallStore({ directory, ...(maxBytes !== undefined && { maxBytes }) });
    stores.push(store);
    return store.calls;
  };
  return {
    directory,
    open,
    [Symbol.asyncDispose]: async () => {
      for (const store of stores) await store.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

describeCallContract("files", async () => {
  const place = folder();
  return { store: place.open(), reopen: place.open, [Symbol.asyncDispose]: place[Symbol.asyncDispose] };
});

describeCallContract("files that start again from a snapshot all the time", async () => {
  const place = folder(300);
  return { store: place.open(), reopen: place.open, [Symbol.asyncDispose]: place[Symbol.asyncDispose] };
});

describe("the file call store", () => {
  it("FP5 skips a torn record and keeps the records before and after it", async () => {
    await using place = folder();
    const store = place.open();
    await store.submit({ ...CALL, callId: "c1" });
    const [segment] = readdirSync(place.directory);
    appendFileSync(join(place.directory, segment ?? ""), '\n{"id":"x","name":"submit","inp');
    await store.submit({ ...CALL, callId: "c2" });
    const ids = async (one: typeof store) => (await one.list({ tenant: "acme" })).map(({ callId }) => callId);
    expect(await ids(store)).toEqual(["c1", "c2"]);
    expect(await ids(place.open())).toEqual(["c1", "c2"]);
  });

  it("FP5 keeps only the newest segment, and every process follows", async () => {
    await using place = folder(2_000);
    const stores = [place.open(), place.open(), place.open()];
    await Promise.all(
      Array.from({ length: 120 }, (_, nth) => stores[nth % 3]?.submit({ ...CALL, callId: `c${nth}` })),
    );
    const segments = readdirSync(place.directory);
    expect(segments).toHaveLength(1);
    expect(segments[0]).not.toBe("calls-000001.jsonl");
    for (const store of [...stores, place.open()])
      expect((await store.overview({ tenant: "acme" })).tenants).toMatchObject([{ calls: { queued: 120 } }]);
  });

  it("FP5 rejects every operation while the folder is unusable, and recovers", async () => {
    await using place = folder();
    const store = place.open();
    rmSync(place.directory, { recursive: true });
    writeFileSync(place.directory, "a file is in the way");
    const submit = (callId: string) => store.submit({ ...CALL, callId });
    const refused = await Promise.allSettled([submit("c1"), submit("c2")]);
    expect(refused.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    rmSync(place.directory);
    expect(await submit("c3")).toMatchObject({ callId: "c3", state: "queued" });
  });

  it("FP5 hints reach another process", async () => {
    await using place = folder();
    const [store, other] = [place.open(), place.open()];
    const heard = new Promise((resolve) => store.watch(resolve));
    await other.submit({ ...CALL, callId: "c1" });
    expect(await heard).toEqual({ topic: "queue" });
  });
});

describe("the shared store in a folder", () => {
  it("FP5 keeps members by tenant, and says how to keep runs", async () => {
    const directory = mkdtempSync(join(tmpdir(), "haft-shared-"));
    const store = fileSharedStore({ directory });
    try {
      const ann = { tenant: "../acme", id: "ann", rights: ["approve"] as const };
      await store.members.put(ann);
      expect(await fileSharedStore({ directory }).members.list("../acme")).toEqual([ann]);
      expect(await store.members.list("other")).toEqual([]);
      expect(await store.members.remove(ann)).toBe(true);
      expect(await store.members.remove(ann)).toBe(false);
      expect(() => store.runs("acme")).toThrow("does not store runs");
    } finally {
      await store.close();
      rmSync(directory, { recursive: true, force: true });
    }
  });
});
