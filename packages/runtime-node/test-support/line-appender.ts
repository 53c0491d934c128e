// A process that appends lines to one file through its own runtime, or holds a lock until it is killed.
import { join } from "node:path";
import { defineTool, s } from "@haft/core";
import { createNodeRuntime } from "../src/create-node-runtime.js";
import { takeLock } from "../src/journal/lock-file.js";

const { folder, name, count, lock } = JSON.parse(process.argv[2] as string);

const appendsLine = defineTool({
  name: "appends_line",
  summary: "Appends a line.",
  category: "write",
  permissions: ["ReadFiles", "WriteFiles", "CreateFiles"],
  input: s.object({ line: s.string("The line") }),
  output: s.object({ line: s.string("The line") }),
  approval: "auto",
  run: async ({ line }, { workspace }) => {
    await workspace.writeText("log.txt", `${await workspace.readText("log.txt")}${line}\n`);
    return { line };
  },
});

if (lock !== undefined) {
  takeLock(lock, () => new Error("it is held"));
  process.stdout.write("held\n");
  setInterval(() => {}, 1_000);
} else await append();

async function append(): Promise<void> {
  const runtime = await createNodeRuntime({
    workspace: join(folder, "ws"),
    stateDirectory: join(folder, "state"),
    role: "coder",
    tools: [appendsLine],
    env: { PATH: process.env.PATH },
    readBeforeWrite: "off",
  });
  const applied: string[] = [];
  const failed: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const line = `${name} ${index}`;
    const result = await runtime.call("appends_line", { line }, { callId: line });
    if (result.ok) applied.push(line);
    else failed.push(`${line}: ${result.text}`);
  }
  await runtime.dispose();
  process.stdout.write(JSON.stringify({ pid: process.pid, applied, failed }));
}
