// Creates a temporary folder for an example, with its journal beside it.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** @param {Record<string, string>} files */
export function sampleWorkspace(files) {
  const folder = mkdtempSync(join(tmpdir(), "haft-example-"));
  const workspace = join(folder, "workspace");
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    writeFileSync(join(workspace, path), content);
  }
  return {
    workspace,
    stateDirectory: join(folder, "state"),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
