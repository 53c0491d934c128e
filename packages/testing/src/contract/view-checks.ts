import { OverlayWorkspace } from "@haft/core/workspace";
import { expect } from "../runner/expect.js";
import { it } from "../runner/runner.js";
import { change, commit, expectCode, type ScenarioStore, seed } from "./workspace-scenario.js";

type Within = (work: (opened: ScenarioStore) => Promise<void>) => Promise<void>;

export function itTellsWhatIsThere(within: Within): void {
  it("a hash identifies content, independent of path and store", () =>
    within(async ({ store }) => {
      await seed(store, { "a.txt": "same", "b.txt": "same", "c.txt": "other" });
      const hash = await store.hashOf("a.txt");
      expect(hash).toMatch(/^[0-9a-f]{16}$/);
      expect(await store.hashOf("b.txt")).toBe(hash);
      expect(await store.hashOf("c.txt")).not.toBe(hash);
      expect(await store.hash(new TextEncoder().encode("same"))).toBe(hash);
      expect(await store.digest(new TextEncoder().encode("same"))).toMatch(/^[0-9a-f]{64}$/);
      expect((await store.readTextFile("a.txt")).hash).toBe(hash);
      expect((await store.snapshot("a.txt"))?.hash).toBe(hash);
      const overlay = new OverlayWorkspace(store);
      await overlay.writeText("c.txt", "same");
      expect(await overlay.hashOf("c.txt")).toBe(hash);
      expect(await overlay.hashOf("a.txt")).toBe(hash);
    }));

  it("returned values are copies", () =>
    within(async ({ store }) => {
      await seed(store, { "a.txt": "a" });
      (await store.readBytes("a.txt")).fill(0);
      (await store.snapshot("a.txt"))?.bytes?.fill(0);
      const bytes = new TextEncoder().encode("mine");
      const overlay = new OverlayWorkspace(store);
      await overlay.writeBytes("b.txt", bytes);
      bytes.fill(0);
      expect(await overlay.readText("b.txt")).toBe("mine");
      await commit(store, overlay);
      expect(await store.readText("a.txt")).toBe("a");
      expect(await store.readText("b.txt")).toBe("mine");
    }));

  itShowsAnOverlay(within);
}

function itShowsAnOverlay(within: Within): void {
  it("changes that cancel out are no change", () =>
    within(async ({ store }) => {
      await seed(store, { "a.txt": "a" });
      const overlay = new OverlayWorkspace(store);
      await overlay.writeText("a.txt", "a");
      await overlay.writeText("a.txt", "b");
      await overlay.writeText("a.txt", "a");
      await overlay.createText("new.txt", "new");
      await overlay.remove("new.txt");
      expect(overlay.changes).toEqual([]);
    }));

  it("a rehearsal sees concurrent changes to files it has not touched", () =>
    within(async ({ store }) => {
      await seed(store, { "a.txt": "a" });
      const overlay = new OverlayWorkspace(store);
      await overlay.createText("mine.txt", "mine");
      await change(store, (ws) => ws.writeText("a.txt", "theirs"));
      expect(await overlay.readText("a.txt")).toBe("theirs");
      expect(await store.exists("mine.txt")).toBe(false);
    }));
}

export function itRefusesPaths(within: Within): void {
  it("a path outside the workspace is rejected before anything is opened", () =>
    within(async ({ store }) => {
      await seed(store, { "a.txt": "a", "d/b.txt": "b" });
      const overlay = new OverlayWorkspace(store);
      for (const path of [
        "../a.txt",
        "d/../a.txt",
        "a\0.txt",
        "/etc/passwd",
        `${store.root}x/a.txt`,
        "a\n",
      ]) {
        await expectCode(store.readText(path), "INVALID_PATH");
        await expectCode(store.locate(path), "INVALID_PATH");
        await expectCode(overlay.writeText(path, "x"), "INVALID_PATH");
        await expectCode(overlay.remove(path), "INVALID_PATH");
        await expectCode(overlay.move("a.txt", path), "INVALID_PATH");
      }
      expect(overlay.changes).toEqual([]);
    }));

  it("a path may be spelled in several ways", () =>
    within(async ({ store }) => {
      await seed(store, { "d/b.txt": "b" });
      for (const path of ["d/b.txt", "./d/b.txt", "d//b.txt", "d/./b.txt", store.absolute("d/b.txt")])
        expect((await store.stat(path)).path).toBe("d/b.txt");
      expect(store.absolute("d/b.txt")).toBe(`${store.root}/d/b.txt`);
      expect(store.absolute("")).toBe(store.root);
      expect((await store.locate("not/there.txt")).path).toBe("not/there.txt");
    }));
}
