// Bundled and started by few-resources.test.ts, under low limits: runs commands and code, one by one and at once.
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
const outcome = async (name: string, args: Record<string, unknown>): Promise<string> => {
  const result = await runtime.call(name, args);
  return result.ok ? JSON.stringify(result.value) : result.error.code;
};
const command = (index: number) =>
  outcome("execute_command", { command: `cat a.txt; echo ${index}; ulimit -n` });
const alone = [
  await command(0),
  await outcome("run_code", { language: "bash", code: "cat a.txt; ulimit -n" }),
  await outcome("execute_command", { command: "cat a.txt | sort | head -1 > b.txt" }),
];
const together = await Promise.all(Array.from({ length: 30 }, (_, index) => command(index)));
const after = await command(0);
process.stdout.write(JSON.stringify({ alone, together, after }));
await runtime.dispose();
