// The worker process of Haft, with one slot for every call in flight.
import { Appends } from "@haft/testing/crash-tools";

const { postgresStore } = await import(
  new URL("../../packages/store-postgres/dist/index.js", import.meta.url)
);
const { serveWorkspaces } = await import(new URL("../../packages/worker/dist/index.js", import.meta.url));
const { root, url } = JSON.parse(process.argv[2]);
const store = postgresStore(url);
const worker = await serveWorkspaces({ root, store, tools: [Appends], slots: 64, onError: console.error });
process.once("SIGTERM", async () => {
  await worker.drain();
  await store.close();
  process.exit(0);
});
console.log("ready");
