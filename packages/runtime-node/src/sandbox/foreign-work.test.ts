import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type TemporaryWorkspace, temporaryWorkspace } from "../../test-support/temporary-workspace.js";
import { bubblewrapSandbox } from "./bubblewrap-sandbox.js";
import { never, openCopy } from "./copied-view.fixture.js";
import { OVERLAY_WAYS } from "./overlay-view.js";
import { sandboxLimits } from "./sandbox-limits.js";
import { viewChanges } from "./view-changes.js";
import { scanWorkspace } from "./workspace-scan.js";

let place: TemporaryWorkspace;

beforeEach(async () => {
  place = await temporaryWorkspace({
    "a.txt": "one\n",
    "dir/b.txt": "two\n",
    "dir/deep/c.txt": "three\n",
    "other/d.txt": "four\n",
  });
  // File timestamps are coarse: the files created above must be older than the run.
  await delay(20);
});
afterEach(() => place.dispose());

type Doing = (folder: string) => void;

/** The changes found when code and other programs work at the same time, each in a separate folder. */
async function found(code: Doing, others: Doing) {
  const { workspace, root } = place;
  const startedAtMs = Date.now();
  const scan = scanWorkspace(workspace);
  const { view } = await openCopy(place, scan);
  await delay(20);
  others(root);
  code(view.path);
  const { changes, conflicts, warnings } = viewChanges({ workspace, view, scan, startedAtMs });
  await view.close();
  const links = changes.flatMap((change) => (change.kind === "symlink" ? [change.target] : []));
  return { changes: changes.map(({ kind, path }) => `${kind} ${path}`), conflicts, warnings, links };
}

const nothing: Doing = () => {};
const remove =
  (path: string): Doing =>
  (folder) =>
    rmSync(join(folder, path), { recursive: true });
const write =
  (path: string): Doing =>
  (folder) => {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), "new\n");
  };

describe("viewChanges of a copy while others work in the workspace", () => {
  it("does not delete another program's folder or file, and warns", async () => {
    const others: Doing = (root) => {
      write("new/precious.txt")(root);
      write("dir/deep/new/x.txt")(root);
      write("n.txt")(root);
    };
    expect(await found(write("mine.txt"), others)).toEqual({
      changes: ["file mine.txt"],
      conflicts: [],
      warnings: [],
      links: [],
    });
  });

  it.each([
    ["added to it", write("dir/new.txt"), "dir"],
    ["added deep in it", write("dir/deep/new/x.txt"), "dir/deep"],
    ["changed in it", write("dir/deep/c.txt"), "dir/deep/c.txt"],
    ["deleted in it", remove("dir/deep/c.txt"), "dir/deep"],
  ])("a folder that code deletes stays whole when something was %s", async (_name, others, what) => {
    const code: Doing = (folder) => {
      remove("dir")(folder);
      write("mine.txt")(folder);
    };
    const { changes, conflicts } = await found(code, others);
    expect([changes, conflicts]).toEqual([[], [what]]);
  });

  it("nor does a file or link replace a folder that others use", async () => {
    const code: Doing = (folder) => {
      remove("dir")(folder);
      write("dir")(folder);
    };
    expect((await found(code, write("dir/new.txt"))).changes).toEqual([]);
    expect((await found(code, nothing)).changes).toEqual(["delete dir", "file dir"]);
  });

  it("a folder that was moved in from elsewhere with its old times stays", async () => {
    const others: Doing = (root) => renameSync(join(root, "other"), join(root, "dir/other"));
    const { changes } = await found(remove("dir"), others);
    expect(changes).not.toContain("delete dir");
  });

  it("does not restore what others deleted; reports the code's work that is lost with it", async () => {
    expect(await found(nothing, remove("dir"))).toEqual({
      changes: [],
      conflicts: [],
      warnings: [],
      links: [],
    });
    place.put({ "dir/b.txt": "two\n" });
    const { changes, conflicts } = await found(write("dir/new.txt"), remove("dir"));
    expect([changes, conflicts]).toEqual([[], ["dir"]]);
  });

  it("if both create one folder, each has its own files in it", async () => {
    expect(await found(write("both/mine.txt"), write("both/theirs.txt"))).toEqual({
      changes: ["file both/mine.txt"],
      conflicts: [],
      warnings: [],
      links: [],
    });
  });

  it("S15 records a link into the copy as a link into the workspace", async () => {
    const code: Doing = (folder) => symlinkSync(join(folder, "a.txt"), join(folder, "dir/link"));
    expect((await found(code, nothing)).links).toEqual(["../a.txt"]);
  });

  it("code may delete files that no other program touched", async () => {
    expect(await found(remove("dir"), write("other/new.txt"))).toEqual({
      changes: ["delete dir"],
      conflicts: [],
      warnings: [],
      links: [],
    });
  });

  it.runIf(process.getuid?.() !== 0)("a folder with something the code could not see stays", async () => {
    chmodSync(join(place.root, "dir/b.txt"), 0);
    const { changes, warnings } = await found(remove("dir"), nothing);
    expect([changes, warnings.length]).toEqual([[], 1]);
  });
});

const VIEWS = [
  ["the best way there is", undefined],
  ["a layer in a namespace of users", OVERLAY_WAYS.slice(1)],
  ["a copy", []],
] as const;

describe.skipIf(!existsSync("/usr/bin/bwrap")).each(VIEWS)(
  "bubblewrapSandbox over %s, while others work in the workspace",
  { timeout: 30_000 },
  (_name, overlayWays) => {
    it("removes nothing of other programs", async () => {
      const { workspace, stateDirectory, root } = place;
      const sandbox = bubblewrapSandbox({ workspace, limits: sandboxLimits(), stateDirectory, overlayWays });
      const code = "rm -rf dir; rm -rf other; mkdir other; echo mine > mine; sleep 2";
      const running = sandbox.run({ argv: ["bash", "-c", code], timeoutMs: 20_000 }, never);
      await delay(1_000);
      for (const path of ["dir/new.txt", "other/new/x.txt", "new/precious.txt"]) write(path)(root);
      const { changes, conflicts } = await running;
      expect(changes).toEqual([]);
      expect(conflicts).toContain("dir");
      expect(readFileSync(join(root, "dir/new.txt"), "utf8")).toBe("new\n");
      expect(readdirSync(join(stateDirectory, "sandbox"))).toEqual([]);
    });
  },
);
