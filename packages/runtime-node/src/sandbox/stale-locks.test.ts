import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { removeStaleLocks } from "./stale-locks.js";

const run = { startedAtMs: 0, endedAtMs: Number.MAX_SAFE_INTEGER };
let root: string;
const at = (path: string) => join(root, path);
const put = (path: string) => writeFileSync(at(path), "");

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "haft-locks-")));
  for (const folder of ["p/.git/refs/heads", "other"]) mkdirSync(at(folder), { recursive: true });
  for (const file of ["p/.git/index.lock", "p/.git/refs/heads/main.lock", "other/yarn.lock"]) put(file);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

it("FE20 removes the locks that a killed git left", () => {
  removeStaleLocks(at("p/.git"), run);
  expect(existsSync(at("p/.git/index.lock"))).toBe(false);
  expect(existsSync(at("p/.git/refs/heads/main.lock"))).toBe(false);
});

it("FE20 removes no lock of another time", () => {
  removeStaleLocks(at("p/.git"), { startedAtMs: 0, endedAtMs: 1 });
  expect(existsSync(at("p/.git/index.lock"))).toBe(true);
});

it("FE20 removes nothing behind a link that the run made in the repository", () => {
  rmSync(at("p/.git/refs/heads"), { recursive: true });
  symlinkSync("../../../other", at("p/.git/refs/heads"));
  removeStaleLocks(at("p/.git"), run);
  expect(existsSync(at("other/yarn.lock"))).toBe(true);
});
