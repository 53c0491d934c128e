// A process that appends lines to one file through its own workspace, and retries after a concurrent change.
import { ToolError } from "@haft/core";
import { OverlayWorkspace } from "@haft/core/workspace";
import { openNodeWorkspace } from "../src/workspace/open-node-workspace.js";

const [root = "", stateDirectory, name, count] = process.argv.slice(2);
const workspace = await openNodeWorkspace(root, { stateDirectory });
let mostAttempts = 0;
for (let index = 0; index < Number(count); index += 1) {
  for (let attempt = 1; ; attempt += 1) {
    mostAttempts = Math.max(mostAttempts, attempt);
    const overlay = new OverlayWorkspace(workspace);
    await overlay.writeText("log.txt", `${await overlay.readText("log.txt")}${name} ${index}\n`);
    try {
      await workspace.commit(overlay.changes, { callId: `${name}-${index}`, tool: "append" });
      break;
    } catch (error) {
      if (!ToolError.is(error) || error.code !== "STALE_FILE") throw error;
    }
  }
}
workspace.close();
process.send?.({ mostAttempts });
process.disconnect?.();
