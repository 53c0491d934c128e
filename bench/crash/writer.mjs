// Commits generation after generation until it is killed.
import { lastGeneration, SCENARIOS } from "./generations.mjs";

const [product, root, stateDirectory, scenario] = process.argv.slice(2);
const { OverlayWorkspace, openNodeWorkspace } = await import(product);
const workspace = await openNodeWorkspace(root, { stateDirectory });
let generation = lastGeneration(scenario, root);
process.stdout.write("ready\n");
for (;;) {
  generation += 1;
  const overlay = new OverlayWorkspace(workspace);
  await SCENARIOS[scenario].write(overlay, generation);
  await workspace.commit(overlay.changes, {
    callId: `${scenario}-${generation}-${process.pid}`,
    tool: "bench",
  });
}
