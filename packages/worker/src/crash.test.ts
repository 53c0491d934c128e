import { join } from "node:path";
import { FileRunJournalStore } from "@haft/agent/node";
import { memorySharedStore, type SharedStore } from "@haft/core/calls";
import { fileSharedStore } from "@haft/runtime-node/shared-store";
import { postgresStore } from "@haft/store-postgres";
import { describeCrashContract } from "@haft/testing";
import { describeUnless } from "../../../tooling/testing/describe-unless.js";
import { noPostgres, startPostgres } from "../../../tooling/testing/start-postgres.js";
import { openCrashBench } from "../test-support/crash-processes.js";
import { serveStore } from "../test-support/store-over-socket.js";

describeCrashContract("memory, served by this process", () =>
  openCrashBench(async (folder) => {
    const store = memorySharedStore();
    const path = join(folder, "store.sock");
    const server = await serveStore(store, path);
    return {
      store,
      place: { kind: "socket", path },
      close: async () => void server.close(),
    };
  }),
);

describeCrashContract("files", () =>
  openCrashBench(async (folder) => {
    const directory = join(folder, "store");
    const runs = () =>
      new FileRunJournalStore(join(folder, "runs")) as never as ReturnType<SharedStore["runs"]>;
    const store = fileSharedStore({ directory, runs });
    return { store, place: { kind: "files", directory }, close: () => store.close() };
  }),
);

describeUnless(noPostgres(), "PostgreSQL", () => {
  describeCrashContract("PostgreSQL", () =>
    openCrashBench(async () => {
      const server = await startPostgres();
      const store = postgresStore(server.url);
      await store.migrate();
      return {
        store,
        place: { kind: "postgres", url: server.url },
        killServer: async () => {
          await server.kill();
          return () => server.restart();
        },
        close: async () => {
          await store.close();
          await server[Symbol.asyncDispose]();
        },
      };
    }),
  );
});
