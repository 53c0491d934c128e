// A process that runs a LangChain agent until it is interrupted, stores its thread, and is killed by the test.
import { createNodeRuntime } from "@haft/runtime-node";
import { WriteFile } from "@haft/tool-fs";
import { MemorySaver } from "@langchain/langgraph";
import { interruptedAgent, saveThread } from "../src/fixtures/langchain-agent.js";

const { workspace, stateDirectory, thread, turn } = JSON.parse(process.argv[2] as string);
const runtime = await createNodeRuntime({
  workspace,
  stateDirectory,
  role: "coder",
  tools: [WriteFile],
  readBeforeWrite: "off",
  env: {},
  decidable: true,
});
const checkpointer = new MemorySaver();
await interruptedAgent(runtime, [[turn]], { checkpointer }).start();
saveThread(checkpointer, thread);
process.stdout.write("asked\n");
setInterval(() => {}, 60_000);
