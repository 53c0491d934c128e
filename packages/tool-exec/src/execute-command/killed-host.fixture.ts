// Bundled and started by killed-host.test.ts: a host that is killed during a command.
import { createNodeRuntime } from "@haft/runtime-node";
import { ExecuteCommand } from "./execute-command-tool.js";

const [root = ""] = process.argv.slice(2);
const runtime = await createNodeRuntime({
  workspace: `${root}/ws`,
  stateDirectory: `${root}/state`,
  role: "coder",
  tools: [ExecuteCommand],
  approver: async () => ({ approved: true }),
  commands: { onUnlisted: "box" },
});
runtime.watch(() => {});
const command = "echo new > a.txt; echo made > b.txt; (setsid sleep 98.125 &); sleep 98.125";
await Promise.all([
  runtime.call("execute_command", { command: "sleep 98.125", background: true }),
  runtime.call("execute_command", { command }),
]);
