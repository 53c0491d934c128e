// A process with many calls that wait for approval. Closes its runtime on request, or is killed.
import { createNodeRuntime } from "../src/create-node-runtime.js";
import { writesFile } from "./file-tools.js";

const { workspace, stateDirectory, count } = JSON.parse(process.argv[2] as string);
const runtime = await createNodeRuntime({
  workspace,
  stateDirectory,
  role: "coder",
  tools: [writesFile],
  env: { PATH: process.env.PATH },
  decidable: true,
});
const calls = Array.from({ length: count }, (_, index) =>
  runtime.call("writes_file", { path: `f${index}.txt`, text: `${index}\n` }, { callId: `call-${index}` }),
);
while ((await runtime.pending()).length < count) await new Promise((resolve) => setTimeout(resolve, 20));
process.stdout.write("all asked\n");
process.stdin.once("data", async () => {
  await runtime.dispose();
  await Promise.all(calls);
  process.stdin.destroy();
});
