// The worker process of BullMQ, with one slot for every job in flight.
import { appendFileSync } from "node:fs";
import { createRequire } from "node:module";

const { entry, connection, log } = JSON.parse(process.argv[2]);
const { Worker } = createRequire(import.meta.url)(entry);
const worker = new Worker("bench", async ({ data }) => appendFileSync(log, `${data.line}\n`), {
  connection,
  concurrency: 64,
});
await worker.waitUntilReady();
process.once("SIGTERM", async () => {
  await worker.close();
  process.exit(0);
});
console.log("ready");
