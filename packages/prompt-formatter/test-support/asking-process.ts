// A process that makes one call, waits for its approval, and is killed by the test.
import { createNodeRuntime } from "@haft/runtime-node";
import { WriteFile } from "@haft/tool-fs";

const { workspace, stateDirectory, tool, args, callId } = JSON.parse(process.argv[2] as string);
const runtime = await createNodeRuntime({
  workspace,
  stateDirectory,
  role: "coder",
  tools: [WriteFile],
  readBeforeWrite: "off",
  env: {},
  approver: () => {
    process.stdout.write("asked\n");
    return new Promise(() => {});
  },
});
await runtime.call(tool, args, { callId });
