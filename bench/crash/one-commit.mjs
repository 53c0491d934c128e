// Makes one commit and reports its outcome. Runs with a system call that fails.
import { lastGeneration, SCENARIOS } from "./generations.mjs";

const [product, root, stateDirectory] = process.argv.slice(2);
const { OverlayWorkspace, openNodeWorkspace } = await import(product);
const workspace = await openNodeWorkspace(root, { stateDirectory });
const generation = lastGeneration("several", root) + 1;
const overlay = new OverlayWorkspace(workspace);
await SCENARIOS.several.write(overlay, generation);
try {
  await workspace.commit(overlay.changes, { callId: `${generation}-${process.pid}`, tool: "bench" });
  console.log("done");
} catch (error) {
  console.log(error.code ?? error.message);
}
