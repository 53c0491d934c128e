// Deletes and undoes until it is killed. Arguments: root, state directory.
import { OverlayWorkspace } from "@haft/core/workspace";
import { openNodeWorkspace } from "../src/workspace/open-node-workspace.js";

const [root = "", stateDirectory = ""] = process.argv.slice(2);
const workspace = await openNodeWorkspace(root, { stateDirectory });
process.stdout.write("ready\n");
for (let round = 0; ; round += 1) {
  const done = (await workspace.journal.list()).findLast(
    ({ state, undoes }) => state === "done" && undoes === undefined,
  );
  if (done !== undefined) await workspace.undo(done.callId);
  const overlay = new OverlayWorkspace(workspace);
  await overlay.remove("dir", { recursive: true });
  await overlay.writeText("log.txt", `${process.pid} ${round}`);
  await overlay.remove("other");
  await workspace.commit(overlay.changes, { callId: `delete-${process.pid}-${round}`, tool: "test" });
}
