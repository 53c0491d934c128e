// Bundled and started by killed-early.test.ts: a host that is killed while it creates boxes.
import { createNodeRuntime } from "@haft/runtime-node";
import { RunCode } from "../run-code/run-code-tool.js";
import { ExecuteCommand } from "./execute-command-tool.js";

const [root = ""] = process.argv.slice(2);
const runtime = await createNodeRuntime({
  workspace: `${root}/ws`,
  stateDirectory: `${root}/state`,
  role: "coder",
  tools: [ExecuteCommand, RunCode],
  approver: async () => ({ approved: true }),
  commands: { onUnlisted: "box" },
});
// Finds the programs, and prepares a box for the next command.
await runtime.call("execute_command", { command: "true" });
await runtime.call("run_code", { language: "bash", code: "true" });
process.stdout.write("ready\n");
const command = "echo new > a.txt; sleep 97.125";
await Promise.all([
  runtime.call("execute_command", { command: "sleep 97.125" }),
  runtime.call("execute_command", { command }),
  runtime.call("execute_command", { command: "sleep 97.125", background: true }),
  runtime.call("run_code", { language: "bash", code: command }),
]);
