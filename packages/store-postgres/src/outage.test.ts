import { createServer, type Server, type Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { describeUnless } from "../../../tooling/testing/describe-unless.js";
import { portOf } from "../../../tooling/testing/free-port.js";
import { noPostgres } from "../../../tooling/testing/start-postgres.js";
import { FrozenProxy } from "./fixtures/frozen-proxy.js";
import { testServer } from "./fixtures/open-schema.js";
import { type PostgresStore, postgresStore } from "./index.js";

const AWAY = { code: "STORE_UNAVAILABLE", details: { retryAfterMs: 1_000 } };
const WS = { tenant: "acme", workspace: "ws" };
const CALL = { ...WS, tool: "t", principal: "p", session: "s" };

describe("a misbehaving server", { timeout: 60_000 }, () => {
  it("FP5 that dies right after accepting a connection does not end the process", async () => {
    // What a backend sends if its postmaster dies before the first query: ready and fatal in one packet.
    await using server = await listen((socket) => {
      socket.once("data", () => socket.end(Buffer.concat([AUTHENTICATED, READY, FATAL])));
    });
    const store = postgresStore({ url: server.url, listenUrl: false });
    for (let round = 0; round < 5; round += 1) {
      await expect(store.migrate()).rejects.toMatchObject(AWAY);
      await expect(store.calls.claim({ worker: "w", limit: 1 })).rejects.toMatchObject(AWAY);
    }
    await store.close();
  });

  it("FP5 that accepts connections and stays silent fails every operation, and closing ends", async () => {
    await using server = await listen(() => {});
    const store = postgresStore({ url: server.url, statementMs: 200, maxConnections: 2 });
    const stop = store.calls.watch(() => {});
    const tries = Array.from({ length: 8 }, (_, nth) => store.calls.submit({ ...CALL, callId: `c${nth}` }));
    for (const settled of await Promise.allSettled(tries))
      expect(settled).toMatchObject({ status: "rejected", reason: AWAY });
    await expect(store.audit("acme").list()).rejects.toMatchObject(AWAY);
    stop();
    await store.close();
  });
});

describeUnless(noPostgres(), "an outage of PostgreSQL", { timeout: 120_000 }, () => {
  const servers = testServer();

  it("FP5 a frozen connection fails its statements, is replaced, and hints arrive again", async () => {
    await using proxy = await FrozenProxy.open(servers.server.url);
    const direct = await servers.open();
    const store = servers.reopen(direct.schema, { url: proxy.url, statementMs: 500 });
    let hints = 0;
    store.calls.watch(() => {
      hints += 1;
    });
    await submitUntil(direct, () => hints > 0);
    proxy.freeze();
    await expect(store.calls.submit({ ...CALL, callId: "frozen" })).rejects.toMatchObject(AWAY);
    await expect(store.calls.submit({ ...CALL, callId: "frozen" })).rejects.toMatchObject(AWAY);
    proxy.thaw();
    expect(await store.calls.submit({ ...CALL, callId: "frozen" })).toMatchObject({ state: "queued" });
    const before = hints;
    await submitUntil(direct, () => hints > before);
    proxy.freeze();
    await store.close();
  });

  it("FP5 repeated SIGKILL under load: every operation settles, and the next ones work", async () => {
    const store = await servers.open({ maxConnections: 10 });
    store.calls.watch(() => {});
    const load = keepBusy(store);
    for (let round = 0; round < 4; round += 1) {
      await load.successes(50);
      servers.server.process.kill("SIGKILL");
      await load.failures(20);
      await servers.server.restart();
      await load.successes(50);
    }
    await load.stop();
    expect(await store.audit("acme").verify()).toMatchObject({ intact: true });
    await store.close();
  });
});

async function submitUntil(store: PostgresStore, isEnough: () => boolean): Promise<void> {
  for (let nth = 0; !isEnough(); nth += 1) {
    await store.calls.submit({ ...CALL, callId: `hint-${Date.now()}-${nth}` });
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Submits, leases, claims and writes to the audit log from many loops. */
function keepBusy(store: PostgresStore) {
  let isOver = false;
  let nth = 0;
  const counts = { ok: 0, failed: 0 };
  const loop = async (work: () => Promise<unknown>) => {
    while (!isOver)
      await work().then(
        () => {
          counts.ok += 1;
        },
        (error) => {
          expect(error).toMatchObject({ code: "STORE_UNAVAILABLE" });
          counts.failed += 1;
          return new Promise((resolve) => setTimeout(resolve, 20));
        },
      );
  };
  const submit = () => {
    nth += 1;
    return store.calls.submit({ ...CALL, callId: `c${nth}` });
  };
  const loops = [
    ...Array.from({ length: 8 }, () => loop(submit)),
    loop(() => store.calls.lease({ worker: "w", workspaces: [WS], ttlMs: 15_000 })),
    loop(() => store.calls.claim({ worker: "w", limit: 5 })),
    loop(() => store.audit("acme").append(ENTRY)),
    loop(() => store.audit("other").append(ENTRY)),
  ];
  const more = async (kind: "ok" | "failed", number: number) => {
    const enough = counts[kind] + number;
    while (counts[kind] < enough) await new Promise((resolve) => setTimeout(resolve, 10));
  };
  return {
    successes: (number: number) => more("ok", number),
    failures: (number: number) => more("failed", number),
    stop: async () => {
      isOver = true;
      await Promise.all(loops);
    },
  };
}

const ENTRY = {
  at: "2026-01-02T03:04:05.678Z",
  callId: "c1",
  tool: "write_file",
  role: "coder",
  args: {},
  changes: [],
  paths: [],
  effect: "ask",
  because: "",
  verdict: "allow",
  decider: { how: "person" },
} as const;

const AUTHENTICATED = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0]);
const READY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);
const FATAL = message(
  "E",
  "SFATAL\0VFATAL\0C57P01\0Mterminating connection due to unexpected postmaster exit\0\0",
);

function message(type: string, body: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, Buffer.from(body)]);
}

async function listen(onSocket: (socket: Socket) => void): Promise<{ url: string } & AsyncDisposable> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    onSocket(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `postgres://haft@127.0.0.1:${portOf(server)}/haft`,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
