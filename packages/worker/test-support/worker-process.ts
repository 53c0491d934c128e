// A worker that tests start, kill and stop.
import { postgresStore } from "@haft/store-postgres";
import { Appends } from "@haft/testing/crash-tools";
import { ReadFile, WriteFile } from "@haft/tool-fs";
import { serveWorkspaces } from "../src/index.js";
import { throughOutages } from "./through-outages.js";

const { url, schema, root, layout, leaseMs, slots } = JSON.parse(process.argv[2] ?? "{}");
const options = {
  root,
  store: postgresStore({ url, schema }),
  tenant: "acme",
  layout,
  tools: [ReadFile, WriteFile, Appends],
  rules: [{ tool: "write_file", effect: "ask" as const }],
  leaseMs,
  slots,
};
// A supervisor would start it again.
const worker = await throughOutages(() => serveWorkspaces(options));
process.once("SIGTERM", () => void worker.drain().then(() => process.exit(0)));
process.stdout.write(`ready ${worker.workerId}\n`);
