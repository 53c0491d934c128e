// Bundled and started by open-descriptors.test.ts, with a folder of the host open on descriptor 40.
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
const look =
  "import os\nfor n in sorted(os.listdir('/proc/self/fd')):\n  print(n, os.path.exists(f'/proc/self/fd/{n}/outside.txt'))";
const code = await runtime.call("run_code", { language: "python", code: look });
const command = await runtime.call("execute_command", { command: "python3 look.py" });
process.stdout.write(JSON.stringify([code.text, command.text]));
await runtime.dispose();
