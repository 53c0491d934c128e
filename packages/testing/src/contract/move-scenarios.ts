import { expect } from "../runner/expect.js";
import { contentsOf, expectCode, type WorkspaceScenario } from "./workspace-scenario.js";

const TREE = { "d/a.txt": "a", "d/e/b.txt": "b", "z.txt": "z" };

export const moveScenarios: readonly WorkspaceScenario[] = [
  {
    title: "moves a file into directories created for it",
    given: TREE,
    does: (ws) => ws.move("z.txt", "new/deep/y.txt"),
    sees: async (reader) => {
      expect(await reader.exists("z.txt")).toBe(false);
      expect(await reader.readText("new/deep/y.txt")).toBe("z");
      expect(await reader.stat("new/deep/y.txt")).toMatchObject({ path: "new/deep/y.txt", size: 1 });
    },
  },
  {
    title: "moves a directory with everything below it",
    given: TREE,
    does: (ws) => ws.move("d", "f/g"),
    sees: async (reader) => {
      expect(await contentsOf(reader)).toEqual({
        "f/": "",
        "f/g/": "",
        "f/g/a.txt": "a",
        "f/g/e/": "",
        "f/g/e/b.txt": "b",
        "z.txt": "z",
      });
      expect(await reader.exists("d")).toBe(false);
    },
  },
  {
    title: "overwrites an existing file only on request",
    given: { ...TREE, "y.txt": "old" },
    does: async (ws) => {
      await expectCode(ws.move("z.txt", "y.txt"), "DESTINATION_EXISTS");
      await ws.move("z.txt", "y.txt", { overwrite: true });
    },
    sees: async (reader) => {
      expect(await reader.readText("y.txt")).toBe("z");
      expect(await reader.exists("z.txt")).toBe(false);
    },
  },
  {
    title: "rejects moving a directory into itself, onto a directory, a missing path, or the root",
    given: TREE,
    does: async (ws) => {
      await expectCode(ws.move("d", "d/e/f"), "INVALID_PATH");
      await expectCode(ws.move("z.txt", "d", { overwrite: true }), "DESTINATION_EXISTS");
      await expectCode(ws.move("nothing", "x"), "FILE_NOT_FOUND");
      await expectCode(ws.move(".", "x"), "INVALID_PATH");
      await expectCode(ws.move("z.txt", "no/where", { createDirs: false }), "PATH_NOT_FOUND");
      await ws.move("z.txt", "./z.txt");
    },
    sees: async (reader) => {
      expect(await contentsOf(reader)).toEqual({ ...TREE, "d/": "", "d/e/": "" });
    },
  },
  {
    title: "changes a moved file",
    given: TREE,
    does: async (ws) => {
      await ws.move("z.txt", "y.txt");
      await ws.writeText("y.txt", "changed");
    },
    sees: async (reader) => {
      expect(await reader.readText("y.txt")).toBe("changed");
      expect(await reader.exists("z.txt")).toBe(false);
    },
  },
  {
    title: "moves a changed file, and new files below a moved directory move along",
    given: TREE,
    does: async (ws) => {
      await ws.writeText("d/a.txt", "changed");
      await ws.createText("d/e/new.txt", "new");
      await ws.remove("d/e/b.txt");
      await ws.move("d", "moved");
      await ws.writeText("moved/e/new.txt", "newer");
    },
    sees: async (reader) => {
      expect(await contentsOf(reader)).toEqual({
        "moved/": "",
        "moved/a.txt": "changed",
        "moved/e/": "",
        "moved/e/new.txt": "newer",
        "z.txt": "z",
      });
    },
  },
  {
    title: "swaps two files through a third name",
    given: { "a.txt": "a", "b.txt": "b" },
    does: async (ws) => {
      await ws.move("a.txt", "tmp");
      await ws.move("b.txt", "a.txt");
      await ws.move("tmp", "b.txt");
    },
    sees: async (reader) => expect(await contentsOf(reader)).toEqual({ "a.txt": "b", "b.txt": "a" }),
  },
  {
    title: "creates a file where a moved one was, and moves a directory twice",
    given: TREE,
    does: async (ws) => {
      await ws.move("d", "d2");
      await ws.move("d2", "d3");
      await ws.createText("d/a.txt", "new");
      await ws.move("d3/e/b.txt", "b.txt");
    },
    sees: async (reader) => {
      expect(await contentsOf(reader)).toEqual({
        "b.txt": "b",
        "d/": "",
        "d/a.txt": "new",
        "d3/": "",
        "d3/a.txt": "a",
        "d3/e/": "",
        "z.txt": "z",
      });
    },
  },
  {
    title: "deletes a moved file",
    given: TREE,
    does: async (ws) => {
      await ws.move("d", "f");
      await ws.remove("f/e", { recursive: true });
      await ws.move("z.txt", "y.txt");
      await ws.remove("y.txt");
    },
    sees: async (reader) => expect(await contentsOf(reader)).toEqual({ "f/": "", "f/a.txt": "a" }),
  },
];
