// Bundled and started by killed-host.test.ts: a host that is killed while a command writes to a shared folder.
import { createNodeRuntime } from "@haft/runtime-node";
import { ExecuteCommand } from "./execute-command-tool.js";

const [root = ""] = process.argv.slice(2);
const runtime = await createNodeRuntime({
  workspace: `${root}/ws`,
  stateDirectory: `${root}/state`,
  role: "coder",
  tools: [ExecuteCommand],
});
await runtime.call("execute_command", { command: "node --test", timeout: 120 });
