// A process that migrates on request, and prints the versions that it applied.
import { once } from "node:events";
// Imported first: in one file, the service container must find its polyfill loaded.
import "@haft/core";
import { postgresStore } from "../src/index.js";

const store = postgresStore(JSON.parse(process.argv[2] ?? "{}"));
process.stdout.write("ready\n");
await once(process.stdin, "data");
const applied = await store.migrate();
process.stdout.write(`${JSON.stringify(applied)}\n`);
await store.close();
process.exit(0);
