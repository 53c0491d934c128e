// Writes, edits and deletes files through a runtime; run by Deno, whose fs differs from Node's in details.
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createNodeRuntime } from "../src/create-node-runtime.js";
import { createsFile, readsFile, updatesFile } from "./file-tools.js";

const workspace = mkdtempSync(join(tmpdir(), "haft-deno-"));
const runtime = await createNodeRuntime({
  workspace,
  stateDirectory: mkdtempSync(join(tmpdir(), "haft-deno-state-")),
  role: "coder",
  tools: [readsFile, createsFile, updatesFile],
  approver: async () => ({ approved: true }),
});
const results = [
  await runtime.call("creates_file", { path: "a.txt", text: "one\n" }),
  await runtime.call("reads_file", { path: "a.txt" }),
  await runtime.call("updates_file", { path: "a.txt", text: "two\n" }),
];
const content = readFileSync(join(workspace, "a.txt"), "utf8");
await runtime.dispose();
process.stdout.write(JSON.stringify({ ok: results.map(({ ok, text }) => (ok ? "ok" : text)), content }));
process.exit(0);
