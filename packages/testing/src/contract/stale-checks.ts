import type { Workspace } from "@haft/core";
import { OverlayWorkspace } from "@haft/core/workspace";
import { expect } from "../runner/expect.js";
import { describe, it } from "../runner/runner.js";
import { STALE_CASES, type StaleCase } from "./stale-cases.js";
import {
  change,
  commit,
  contentsOf,
  expectCode,
  type Given,
  type ScenarioStore,
  seed,
} from "./workspace-scenario.js";

type Within = (work: (opened: ScenarioStore) => Promise<void>) => Promise<void>;

/** Rehearsed changes are applied as a whole to the expected state, or not at all. */
export function itIsAllOrNone(within: Within): void {
  describe("a stale change leaves everything untouched", () => {
    for (const stale of STALE_CASES)
      it(stale.title, () => within((opened) => expectUntouched(opened, stale)));
    for (const stale of STALE_CASES)
      it(`${stale.title}, as the last of several changes`, () =>
        within((opened) => expectUntouched(opened, { ...stale, rehearsed: (ws) => afterOthers(ws, stale) })));
  });

  for (const [title, { given, work }] of Object.entries(BETWEEN))
    it(`${title} between read and write is not lost`, () =>
      within(async ({ store }) => {
        await seed(store, given);
        const overlay = new OverlayWorkspace(store);
        const write = await work(overlay);
        await change(store, (ws) => ws.writeText("log.txt", "theirs\n"));
        await write();
        await expectCode(commit(store, overlay), "STALE_FILE");
        expect(await contentsOf(store)).toEqual({ "log.txt": "theirs\n" });
      }));

  it("ignores concurrent changes to other files", () =>
    within(async ({ store }) => {
      await seed(store, { "a.txt": "a", "b.txt": "b" });
      const overlay = new OverlayWorkspace(store);
      await overlay.writeText("a.txt", "mine");
      await change(store, (ws) => ws.writeText("b.txt", "theirs"));
      await commit(store, overlay);
      expect(await contentsOf(store)).toEqual({ "a.txt": "mine", "b.txt": "theirs" });
    }));
}

async function expectUntouched({ store }: ScenarioStore, stale: StaleCase): Promise<void> {
  await seed(store, { "x.txt": "x", "y/z.txt": "z", ...stale.given });
  const overlay = new OverlayWorkspace(store);
  await stale.rehearsed(overlay);
  await change(store, stale.meanwhile);
  const before = await contentsOf(store);
  await expectCode(commit(store, overlay), "STALE_FILE");
  expect(await contentsOf(store)).toEqual(before);
}

async function afterOthers(workspace: Workspace, stale: StaleCase): Promise<void> {
  await workspace.writeText("x.txt", "changed");
  await workspace.createText("new/file.txt", "new");
  await workspace.move("y", "moved");
  await stale.rehearsed(workspace);
}

/** Reads, and returns a function that writes based on the content read. */
const BETWEEN: Readonly<Record<string, Between>> = {
  "a line added": {
    given: { "log.txt": "old\n" },
    work: async (ws) => {
      const text = await ws.readText("log.txt");
      return () => ws.writeText("log.txt", `${text}mine\n`);
    },
  },
  "a byte added": {
    given: { "log.txt": "old\n" },
    work: async (ws) => {
      const bytes = await ws.readBytes("log.txt");
      return () => ws.writeBytes("log.txt", bytes.slice(1));
    },
  },
  "a file made": {
    given: {},
    work: async (ws) => {
      expect(await ws.exists("log.txt")).toBe(false);
      return () => ws.writeText("log.txt", "mine\n");
    },
  },
  "a file made that could not be read": {
    given: {},
    work: async (ws) => {
      await expectCode(ws.readText("log.txt"), "FILE_NOT_FOUND");
      return () => ws.writeText("log.txt", "mine\n");
    },
  },
  "what would have been deleted": {
    given: { "log.txt": "" },
    work: async (ws) => {
      expect(await ws.readText("log.txt")).toBe("");
      return () => ws.remove("log.txt");
    },
  },
  "what would have been moved away": {
    given: { "log.txt": "old" },
    work: async (ws) => {
      await ws.hashOf("log.txt");
      return () => ws.move("log.txt", "old.txt");
    },
  },
};

interface Between {
  readonly given: Given;
  work(workspace: Workspace): Promise<() => Promise<unknown>>;
}
