import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  mkdirSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readsFile, writesFile } from "../../test-support/file-tools.js";
import { runtimeFolder } from "../../test-support/runtime-folder.js";
import { ConfigTrust } from "../config/config-trust.js";
import { hiddenFolders } from "../workspace/open-node-workspace.js";
import { stateDirectoryOf } from "./state-directory.js";

const folder = runtimeFolder({ "f.txt": "old\n" }, { tools: [readsFile, writesFile] });
const isRoot = process.getuid?.() === 0;

describe("FE17 a state folder that others can write to", () => {
  it.each([0o777, 0o775, 0o1777])("FE17 is made private, with a warning: mode %o", async (mode) => {
    const state = join(folder.base, "state");
    mkdirSync(state);
    chmodSync(state, mode);
    const warned = once(process, "warning");
    await (await folder.open()).dispose();
    expect(statSync(state).mode & 0o777).toBe(0o700);
    expect(String(await warned)).toContain(`${state} could be written by other users`);
  });

  it("FE17 is refused if a file in it may belong to somebody else", async () => {
    const state = join(folder.base, "state");
    mkdirSync(join(state, "grants"), { recursive: true });
    chmodSync(join(state, "grants"), 0o777);
    chmodSync(state, 0o777);
    await expect(folder.open()).rejects.toMatchObject({
      code: "STATE_NOT_PRIVATE",
      message: expect.stringContaining('"grants" in it is not yours alone'),
      hint: expect.stringContaining("XDG_STATE_HOME"),
    });
  });

  it.skipIf(!isRoot)("FE17 is refused if another user owns it (skipped unless root)", async () => {
    const state = join(folder.base, "state");
    mkdirSync(state, { mode: 0o700 });
    chownSync(state, 12345, 12345);
    await expect(folder.open()).rejects.toMatchObject({
      code: "STATE_NOT_PRIVATE",
      message: expect.stringContaining("belongs to another user (uid 12345"),
    });
  });

  it.skipIf(!isRoot)("FE17 is refused if another user made it a link (skipped unless root)", async () => {
    const clone = join(folder.base, "clone");
    mkdirSync(clone, { mode: 0o700 });
    symlinkSync(clone, join(folder.base, "state"));
    lchownSync(join(folder.base, "state"), 12345, 12345);
    await expect(folder.open()).rejects.toMatchObject({
      code: "STATE_NOT_PRIVATE",
      message: expect.stringContaining("is a link that another user made (uid 12345)"),
    });
  });

  it.skipIf(!isRoot)(
    "FE17 the folder of all workspaces is checked as well (skipped unless root)",
    async () => {
      const home = join(folder.base, "xdg", "haft");
      mkdirSync(home, { recursive: true });
      chownSync(home, 12345, 12345);
      const env = { XDG_STATE_HOME: join(folder.base, "xdg") };
      const stateDirectory = stateDirectoryOf(folder.root, env);
      await expect(folder.open({ env, stateDirectory })).rejects.toMatchObject({ code: "STATE_NOT_PRIVATE" });
    },
  );
});

describe("FE17 a folder above the state folder that others control", () => {
  /** Creates a state folder two levels below `base`, with the upper one prepared by the test. */
  const above = (prepare: (upper: string) => void) => {
    const upper = join(folder.base, "upper");
    const stateDirectory = join(upper, "lower", "state");
    mkdirSync(stateDirectory, { recursive: true, mode: 0o700 });
    prepare(upper);
    return { stateDirectory, upper };
  };

  it.skipIf(!isRoot)("FE17 is refused if another user owns it (skipped unless root)", async () => {
    const { stateDirectory, upper } = above((path) => chownSync(path, 12345, 12345));
    await expect(folder.open({ stateDirectory })).rejects.toMatchObject({
      code: "STATE_NOT_PRIVATE",
      message: expect.stringContaining(`${upper}, which holds it, belongs to another user (uid 12345)`),
      hint: expect.stringContaining("XDG_STATE_HOME"),
    });
  });

  it.each([0o777, 0o757])("FE17 is refused if everybody can write to it: mode %o", async (mode) => {
    const { stateDirectory, upper } = above((path) => chmodSync(path, mode));
    await expect(folder.open({ stateDirectory })).rejects.toMatchObject({
      code: "STATE_NOT_PRIVATE",
      message: expect.stringContaining(
        `${upper}, which holds it, can be written by other users (mode ${mode.toString(8)})`,
      ),
      hint: expect.stringContaining(`chmod go-w ${upper}`),
    });
    expect(statSync(upper).mode & 0o777).toBe(mode);
  });

  it.skipIf(!isRoot)("FE17 is refused if a group with other members can (skipped unless root)", async () => {
    const { stateDirectory } = above((path) => {
      chmodSync(path, 0o775);
      chownSync(path, 0, 12345);
    });
    await expect(folder.open({ stateDirectory })).rejects.toMatchObject({ code: "STATE_NOT_PRIVATE" });
  });

  it("FE17 is refused before anything is created in it", async () => {
    const { upper } = above((path) => chmodSync(path, 0o777));
    const stateDirectory = join(upper, "new", "state");
    await expect(folder.open({ stateDirectory })).rejects.toMatchObject({ code: "STATE_NOT_PRIVATE" });
    expect(existsSync(join(upper, "new"))).toBe(false);
  });

  it.skipIf(!isRoot)("FE17 is refused if it is a link of another user (skipped unless root)", async () => {
    const { upper } = above(() => {});
    const link = join(folder.base, "link");
    symlinkSync(upper, link);
    lchownSync(link, 12345, 12345);
    const stateDirectory = join(link, "lower", "state");
    await expect(folder.open({ stateDirectory })).rejects.toMatchObject({
      code: "STATE_NOT_PRIVATE",
      message: expect.stringContaining(
        `${link}, which holds it, is a link that another user made (uid 12345)`,
      ),
    });
  });

  it.skipIf(!isRoot)(
    "FE17 is checked for XDG_STATE_HOME and the trust records there (skipped unless root)",
    async () => {
      const { upper } = above((path) => chownSync(path, 12345, 12345));
      const env = { XDG_STATE_HOME: join(upper, "lower") };
      const stateDirectory = stateDirectoryOf(folder.root, env);
      await expect(folder.open({ env, stateDirectory })).rejects.toMatchObject({ code: "STATE_NOT_PRIVATE" });
      await expect(new ConfigTrust(env).list()).rejects.toMatchObject({ code: "STATE_NOT_PRIVATE" });
    },
  );

  it.each<[string, (upper: string) => void]>([
    ["a sticky folder that everybody can write, as /tmp is", (upper) => chmodSync(upper, 0o1777)],
    ["a folder that everybody can read", (upper) => chmodSync(upper, 0o755)],
    [
      "a link of the user's own",
      (upper) => {
        renameSync(upper, `${upper}-moved`);
        symlinkSync("upper-moved", upper);
      },
    ],
  ])("FE17 is fine when it is %s", async (_what, prepare) => {
    const { stateDirectory } = above(prepare);
    await (await folder.open({ stateDirectory })).dispose();
  });
});

describe("FE17 the state folder is inaccessible", () => {
  it("FE17 to every file tool, also if the workspace contains it, and through a link", async () => {
    const env = { XDG_STATE_HOME: join(folder.root, ".local", "state") };
    const stateDirectory = stateDirectoryOf(folder.root, env);
    mkdirSync(stateDirectory, { recursive: true, mode: 0o700 });
    writeFileSync(join(stateDirectory, "grant.json"), "{}");
    symlinkSync(join(folder.root, ".local"), join(folder.root, "link"));
    await using runtime = await folder.open({
      env,
      stateDirectory,
      approver: async () => ({ approved: true }),
    });
    const inside = stateDirectory.slice(folder.root.length + 1);
    for (const path of [
      `${inside}/grant.json`,
      `link/state/haft/x/grants/y.json`,
      ".local/state/haft/other/z",
    ]) {
      expect(await runtime.call("reads_file", { path })).toMatchObject({ ok: false });
      expect(await runtime.call("writes_file", { path, text: "{}" })).toMatchObject({ ok: false });
    }
  });

  it("FE17 hiddenFolders lists the folders a sandbox must mask: this state, and that of all workspaces", () => {
    const env = { XDG_STATE_HOME: join(folder.base, "xdg") };
    const stateDirectory = join(folder.base, "elsewhere");
    expect(hiddenFolders({ stateDirectory, env })).toEqual(
      expect.arrayContaining([
        stateDirectory,
        join(folder.base, "xdg", "haft"),
        join(homedir(), ".local", "state", "haft"),
      ]),
    );
  });
});
