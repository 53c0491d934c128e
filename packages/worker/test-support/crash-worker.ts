// A worker over any of our stores, which tests start, kill and stop.
import type { SharedStore } from "@haft/core/calls";
import { fileSharedStore } from "@haft/runtime-node/shared-store";
import { postgresStore } from "@haft/store-postgres";
import { Appends, AppendsAgain, Puts } from "@haft/testing/crash-tools";
import { serveWorkspaces } from "../src/index.js";
import { storeOverSocket } from "./store-over-socket.js";
import { throughOutages } from "./through-outages.js";

const { place, isDeaf, root, leaseMs, slots } = JSON.parse(process.argv[2] ?? "{}");
const store = open();
const options = {
  root,
  store,
  tenant: "acme",
  tools: [Appends, AppendsAgain, Puts],
  rules: [{ tool: "puts", effect: "ask" as const }],
  leaseMs,
  slots,
  pollMs: 200,
};
// A supervisor would start it again.
const worker = await throughOutages(() => serveWorkspaces(options));
process.once("SIGTERM", () => void worker.drain().then(() => process.exit(0)));
process.stdout.write(`ready ${worker.workerId}\n`);

function open(): SharedStore {
  if (place.kind === "postgres")
    return postgresStore({ url: place.url, ...(isDeaf === true && { listenUrl: false }) });
  // A store over a socket gives no hints anyway.
  if (place.kind === "socket") return storeOverSocket(place.path);
  const store = fileSharedStore({ directory: place.directory });
  return isDeaf === true ? { ...store, calls: { ...store.calls, watch: () => () => {} } } : store;
}
