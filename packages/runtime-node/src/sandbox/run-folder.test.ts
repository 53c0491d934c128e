import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ownIdentity } from "../journal/process-identity.js";
import { openNodeWorkspace } from "../workspace/open-node-workspace.js";
import { isAbandoned, makeRunFolder, removeRunFolder, SHARED, sweepRunFolders } from "./run-folder.js";
import { disableAbandoned } from "./shared-record.js";

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "haft-run-folder-")));
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(root, { recursive: true, force: true });
});

const DEAD = `4194999-${"0".repeat(8)}-0000-0000-0000-${"0".repeat(12)}`;

it("FE3 a run folder names its owner as long as it is used", async () => {
  const folder = makeRunFolder(root);
  const owner = JSON.parse(readFileSync(join(folder, "owner.json"), "utf8"));
  expect(owner).toMatchObject(ownIdentity());
  expect(isAbandoned(root, basename(folder))).toBe(false);
  writeFileSync(join(folder, "owner.json"), JSON.stringify({ ...owner, startTime: "earlier" }));
  expect(isAbandoned(root, basename(folder))).toBe(true);
  await removeRunFolder(folder);
  await vi.waitFor(() => expect(existsSync(folder)).toBe(false));
});

it("FE21 an interrupted removal leaves a folder that names its owner", async () => {
  const folder = makeRunFolder(root);
  const [upper, owner] = [join(folder, "upper"), join(folder, "owner.json")];
  mkdirSync(upper);
  for (let file = 0; file < 3_000; file += 1) writeFileSync(join(upper, `f${file}`), "");
  const removal = removeRunFolder(folder);
  while (existsSync(upper)) {
    expect(existsSync(owner)).toBe(true);
    await nextTurn();
  }
  await removal;
  await vi.waitFor(() => expect(existsSync(folder)).toBe(false));
});

it("FE3 a run folder of another container counts as abandoned once its owner stops renewing it", async () => {
  const folder = join(root, DEAD);
  const file = join(folder, "owner.json");
  mkdirSync(folder);
  writeFileSync(file, JSON.stringify({ pid: 4194999, startTime: "", space: "another", nonce: "1" }));
  sweepRunFolders(root);
  expect([isAbandoned(root, DEAD), existsSync(file)]).toEqual([false, true]);
  const longAgo = Date.now() / 1000 - 60;
  utimesSync(file, longAgo, longAgo);
  expect(isAbandoned(root, DEAD)).toBe(true);
  sweepRunFolders(root);
  await vi.waitFor(() => expect(existsSync(folder)).toBe(false));
});

it("FE21 a killed run's git locks are removed by the next sweep, those of other times are kept", () => {
  const repository = join(root, "ws/.git");
  const folder = join(root, DEAD);
  for (const made of [join(repository, "refs/heads"), folder]) mkdirSync(made, { recursive: true });
  writeFileSync(join(folder, "owner.json"), JSON.stringify({ pid: 4194999, startTime: "", nonce: "1" }));
  writeFileSync(join(folder, "guards.json"), JSON.stringify([join(repository, "commondir")]));
  const at = (path: string, secondsAgo: number) => {
    const moment = Date.now() / 1000 - secondsAgo;
    if (!existsSync(path)) writeFileSync(path, "");
    utimesSync(path, moment, moment);
  };
  at(join(folder, "guards.json"), 60);
  at(join(folder, "owner.json"), 30);
  for (const name of ["index.lock", "refs/heads/main.lock"]) at(join(repository, name), 40);
  at(join(repository, "HEAD.lock"), 70);
  at(join(repository, "config.lock"), 10);
  at(join(repository, "index"), 40);
  sweepRunFolders(root);
  expect(readdirSync(repository).sort()).toEqual(["HEAD.lock", "config.lock", "index", "refs"]);
  expect(readdirSync(join(repository, "refs/heads"))).toEqual([]);
});

it("FE21 a folder that a killed process was replacing is there again at the next start, whole", async () => {
  const parent = join(root, "sandbox");
  const temporary = (name: string, pid: number, mark: string) =>
    `.${name}.haft-${pid}-${mark.repeat(12)}.tmp`;
  const put = (path: string) => {
    mkdirSync(dirname(join(root, "ws", path)), { recursive: true });
    writeFileSync(join(root, "ws", path), "x");
  };
  // Between its two renames, after an earlier former folder could not be removed.
  put(`${temporary("out.former", 4194999, "a")}/part`);
  put(`${temporary("out.former", 4194999, "e")}/former`);
  put(`${temporary("out.made", 4194999, "b")}/whole`);
  // While it removed a folder that the command had removed, and while it copied one that was not there before.
  put(`${temporary("removed.former", 4194999, "a")}/part`);
  put(`${temporary("fresh", 4194999, "a")}/part`);
  // While it copied, and another process copies.
  put("app/dist/whole");
  put(`app/${temporary("dist", 4194999, "c")}/part`);
  put(`app/${temporary("dist", process.pid, "d")}/part`);
  mkdirSync(join(parent, DEAD), { recursive: true });
  const record = { root: join(root, "ws"), shared: ["out", "removed", "fresh", "app/dist", "gone/dist"] };
  writeFileSync(join(parent, DEAD, SHARED), JSON.stringify(record));
  const stateDirectory = join(root, "state");
  disableAbandoned(await openNodeWorkspace(join(root, "ws"), { stateDirectory }), parent);
  expect(readdirSync(join(root, "ws"))).toEqual(["app", "out"]);
  expect(readdirSync(join(root, "ws/out"))).toEqual(["whole"]);
  expect(readdirSync(join(root, "ws/app"))).toEqual([temporary("dist", process.pid, "d"), "dist"]);
  expect(readdirSync(join(root, "ws/app/dist"))).toEqual(["whole"]);
});

it("FE3 a record of shared folders that cannot be followed is reported and kept, and the next one is read", async () => {
  const parent = join(root, "sandbox");
  const other = DEAD.replace("-0", "-1");
  mkdirSync(join(root, "ws/out/r/.git/objects"), { recursive: true });
  mkdirSync(join(root, "ws/out/r/.git/refs"));
  writeFileSync(join(root, "ws/out/r/.git/HEAD"), "ref: refs/heads/main\n");
  const records = {
    [DEAD]: { root: join(root, "ws") },
    [other]: { root: join(root, "ws"), shared: ["out"] },
  };
  for (const [name, record] of Object.entries(records)) {
    mkdirSync(join(parent, name), { recursive: true });
    writeFileSync(join(parent, name, SHARED), JSON.stringify(record));
  }
  const warned = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
  disableAbandoned(
    await openNodeWorkspace(join(root, "ws"), { stateDirectory: join(root, "state") }),
    parent,
  );
  const warnings = warned.mock.calls.map(([warning]) => String(warning));
  expect(warnings).toEqual([
    expect.stringContaining(`${join(parent, DEAD, SHARED)}: a command of a killed process`),
    expect.stringContaining("out/r/.git: renamed to"),
  ]);
  expect(existsSync(join(parent, DEAD, SHARED))).toBe(true);
  expect(existsSync(join(parent, other, SHARED))).toBe(false);
  expect(existsSync(join(root, "ws/out/r/.git"))).toBe(false);
});
