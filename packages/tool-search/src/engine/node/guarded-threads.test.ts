import { afterEach, describe, expect, it } from "vitest";
import { PathGuard as ReaderGuard } from "../../../../runtime-node/src/workspace/path-guard.js";
import { compileWorker } from "../../../test-support/compile-worker.js";
import { diskFixture, searchRequest } from "../../../test-support/search-fixture.js";
import { NodeSearchEngine } from "./node-search-engine.js";
import { type GuardModule, withoutSlash } from "./path-guard.js";

const FILES = Object.fromEntries(
  [
    "a.txt",
    "src/b.ts",
    ".env",
    "src/.ENV.local",
    "src/.env.example",
    ".ssh/config",
    "keys/id_rsa",
    "keys/id_rsa.pub",
    "deploy/server.PEM",
    "src/credentials.ts",
    "src/credentials.yml",
    "private/notes.md",
    "private/deep/er.md",
    "vault/x.txt",
    ".state/journal.json",
    "src/.b.ts.haft-12-0123456789ab.tmp",
    "Cre\u200bdentials",
  ].map((path) => [path, "needle\n"]),
);

const open: { engines: NodeSearchEngine[]; remove: (() => void)[] } = { engines: [], remove: [] };
afterEach(async () => {
  await Promise.all(open.engines.splice(0).map((engine) => engine.dispose()));
  for (const remove of open.remove.splice(0)) remove();
});

function searchedBy(guard: ReaderGuard, module?: GuardModule) {
  const disk = diskFixture(FILES);
  open.remove.push(disk.remove);
  const engine = new NodeSearchEngine({
    root: disk.root,
    guard: { mayOpen: withoutSlash((path) => guard.mayOpen(path)) },
    threads: () => ({ entry: compiled.entry, guard: module }),
    poolFrom: 0,
  });
  open.engines.push(engine);
  return engine;
}

const compiled = compileWorker();
const request = searchRequest("needle", { walk: { includeHidden: true, includeIgnored: true } });

describe("a guard in search threads", () => {
  it.each([
    ["the built-in names", {}],
    ["names of the host's own", { sensitive: ["private", "**/x.txt"], reserved: [".state"] }],
  ])("judges by %s as on this thread", async (_, options) => {
    const guard = new ReaderGuard(options);
    const url = compiled.guardUrl.href;
    const threaded = searchedBy(guard, { url, exportName: "makeThreadGuard", data: guard.rules });
    await threaded.warm();
    expect(threaded.threads).toBe(2);
    const here = await searchedBy(guard).search(request);
    expect(await threaded.search(request)).toEqual(here);
    expect(here.files.map(({ path }) => path)).toContain("src/credentials.ts");
    expect(here.files.map(({ path }) => path).filter((path) => !guard.mayOpen(path))).toEqual([]);
    expect(here.skipped.sensitive).toBeGreaterThan(6);
  });

  it("is required: threads that cannot load it do not search", async () => {
    const guard = new ReaderGuard();
    const engine = searchedBy(guard, { url: compiled.guardUrl.href, exportName: "missing", data: {} });
    await engine.warm();
    expect(engine.threads).toBe(1);
    const { files } = await engine.search(request);
    expect(files.map(({ path }) => path)).not.toContain(".env");
  });
});
