import { chmodSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { readsFile, writesFile } from "../../test-support/file-tools.js";
import { runtimeFolder } from "../../test-support/runtime-folder.js";
import { namesInState, readStateFile } from "./state-file.js";

const folder = runtimeFolder({ "f.txt": "old\n" }, { tools: [readsFile, writesFile] });
const state = (name: string) => join(folder.base, "state", name);
const FILES = ["audit.jsonl", "audit.head", "anchors/audit.json", "journal.jsonl", "lock"];
const FOLDERS = ["approvals", "grants", "."];

describe("FE17 a state folder that this user cannot open", () => {
  it.each([...FILES, ...FOLDERS])("FE17 %s: without permission, the error names the remedy", async (name) => {
    await using runtime = await folder.open({ approver: async () => ({ approved: true }) });
    await runtime.call("writes_file", { path: "f.txt", text: "new\n" });
    for (const each of ["lock", "journal.jsonl"]) writeFileSync(state(each), "", { flag: "a" });
    for (const each of ["approvals", "grants"]) mkdirSync(state(each), { recursive: true });
    const read = FOLDERS.includes(name) ? namesInState : readStateFile;
    expect(withoutAccessTo(state(name), () => read(state(name)))).toMatchObject({
      code: "STATE_DAMAGED",
      message: `${state(name)} cannot be opened: permission denied (EACCES)`,
      hint: expect.stringContaining(`chmod u+rwX ${state(name)}`),
    });
  });

  it("FE17 for a file in its place the error names the remedy", async () => {
    await (await folder.open()).dispose();
    rmSync(state("."), { recursive: true, force: true });
    writeFileSync(join(folder.base, "state"), "");
    await expect(folder.open()).rejects.toMatchObject({
      code: "STATE_DAMAGED",
      message: `${join(folder.base, "state")} is not a folder`,
    });
    expect(() => readStateFile(state("audit.head"))).toThrow("is not a folder");
  });
});

const NOBODY = 65534;
const isRoot = process.getuid?.() === 0;

/** Runs work while this process may not open a path, even as root. Returns the thrown error. */
function withoutAccessTo(path: string, work: () => unknown): unknown {
  const { mode } = statSync(path);
  for (const above of [folder.base, state("."), dirname(path)]) chmodSync(above, 0o711);
  chmodSync(path, 0);
  if (isRoot) process.seteuid?.(NOBODY);
  try {
    work();
    return undefined;
  } catch (thrown) {
    return thrown;
  } finally {
    if (isRoot) process.seteuid?.(0);
    chmodSync(path, mode);
  }
}
