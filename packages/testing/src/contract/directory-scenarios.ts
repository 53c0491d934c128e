import { expect } from "../runner/expect.js";
import { contentsOf, expectCode, type WorkspaceScenario } from "./workspace-scenario.js";

const TREE = { "d/a.txt": "a", "d/e/b.txt": "b", "d/e/c.txt": "c", "z.txt": "z" };

export const directoryScenarios: readonly WorkspaceScenario[] = [
  {
    title: "creates a directory, also if it exists",
    does: async (ws) => {
      await ws.createDirectory("d/e");
      await ws.createDirectory("d");
      await ws.createDirectory("d/e");
    },
    sees: async (reader) => {
      expect(await contentsOf(reader)).toEqual({ "d/": "", "d/e/": "" });
      expect((await reader.stat("d/e")).type).toBe("directory");
      expect(await reader.list("d/e")).toEqual([]);
    },
  },
  {
    title: "changes the permissions of a directory and keeps its content",
    given: TREE,
    does: async (ws) => {
      await ws.setDirectoryMode("d/e", 0o750);
      await ws.writeText("d/e/b.txt", "changed");
      await ws.createText("d/e/new.txt", "new");
      await ws.setDirectoryMode("d", 0o711);
      await ws.setDirectoryMode("d", 0o700);
      await ws.createDirectory("made");
      await ws.createText("made/in.txt", "in");
      await ws.setDirectoryMode("made", 0o705);
      await expectCode(ws.setDirectoryMode("z.txt", 0o700), "NOT_A_DIRECTORY");
      await expectCode(ws.setDirectoryMode("nowhere", 0o700), "NOT_A_DIRECTORY");
      await expectCode(ws.setDirectoryMode(".", 0o700), "NOT_A_DIRECTORY");
    },
    sees: async (reader) => {
      const modes = ["d", "d/e", "made"].map(async (path) => (await reader.stat(path)).mode);
      expect(await Promise.all(modes)).toEqual([0o700, 0o750, 0o705]);
      expect(await contentsOf(reader)).toEqual({
        ...TREE,
        ...{ "d/": "", "d/e/": "", "d/e/b.txt": "changed", "d/e/new.txt": "new" },
        ...{ "made/": "", "made/in.txt": "in" },
      });
    },
  },
  {
    title: "moves a directory with its permissions",
    given: TREE,
    does: async (ws) => {
      await ws.setDirectoryMode("d/e", 0o750);
      await ws.move("d", "moved");
    },
    sees: async (reader) => expect((await reader.stat("moved/e")).mode).toBe(0o750),
  },
  {
    title: "deletes a file and leaves its directory",
    given: TREE,
    does: (ws) => ws.remove("d/e/b.txt"),
    sees: async (reader) => {
      expect(await reader.exists("d/e/b.txt")).toBe(false);
      await expectCode(reader.readText("d/e/b.txt"), "FILE_NOT_FOUND");
      expect((await reader.list("d/e")).map(({ name }) => name)).toEqual(["c.txt"]);
    },
  },
  {
    title: "deletes a directory recursively, and reports what was deleted",
    given: TREE,
    does: async (ws) => {
      await expectCode(ws.remove("d"), "DIRECTORY_NOT_EMPTY");
      expect([...(await ws.remove("d", { recursive: true }))].sort()).toEqual(
        ["d", "d/a.txt", "d/e", "d/e/b.txt", "d/e/c.txt"].sort(),
      );
    },
    sees: async (reader) => expect(await contentsOf(reader)).toEqual({ "z.txt": "z" }),
  },
  {
    title: "deletes an empty directory without recursive",
    given: { "d/": null },
    does: (ws) => ws.remove("d"),
    sees: async (reader) => expect(await contentsOf(reader)).toEqual({}),
  },
  {
    title: "deletes a directory changed in the same rehearsal",
    given: TREE,
    does: async (ws) => {
      await ws.createText("d/new.txt", "new");
      await ws.writeText("d/a.txt", "changed");
      await ws.remove("d/e/c.txt");
      await ws.remove("d", { recursive: true });
    },
    sees: async (reader) => expect(await contentsOf(reader)).toEqual({ "z.txt": "z" }),
  },
  {
    title: "a deleted directory can be recreated and is empty",
    given: TREE,
    does: async (ws) => {
      await ws.remove("d", { recursive: true });
      await ws.createText("d/e/new.txt", "new");
    },
    sees: async (reader) => {
      expect(await contentsOf(reader)).toEqual({ "d/": "", "d/e/": "", "d/e/new.txt": "new", "z.txt": "z" });
    },
  },
  {
    title: "lists by name; walks parents before children, to the given depth, hidden files only on request",
    given: { ...TREE, "d/.hidden/x": "x", "B.txt": "B" },
    does: (ws) => ws.createText("d/e/bb.txt", "bb"),
    sees: async (reader) => {
      expect((await reader.list(".")).map(({ name, path, type }) => [name, path, type])).toEqual([
        ["B.txt", "B.txt", "file"],
        ["d", "d", "directory"],
        ["z.txt", "z.txt", "file"],
      ]);
      const walked = async (options: object) => {
        const paths: string[] = [];
        for await (const { path } of reader.walk("d", options)) paths.push(path);
        return paths;
      };
      expect(await walked({})).toEqual(["d/a.txt", "d/e", "d/e/b.txt", "d/e/bb.txt", "d/e/c.txt"]);
      expect(await walked({ maxDepth: 1 })).toEqual(["d/a.txt", "d/e"]);
      expect(await walked({ includeHidden: true, maxDepth: 1 })).toEqual(["d/.hidden", "d/a.txt", "d/e"]);
      await expectCode(reader.list("d/a.txt"), "NOT_A_DIRECTORY");
      await expectCode(reader.list("nowhere"), "PATH_NOT_FOUND");
      await expectCode(reader.readText("d"), "IS_DIRECTORY");
    },
  },
  {
    title: "rejects a file in place of a directory, and a directory in place of a file",
    given: TREE,
    does: async (ws) => {
      await expectCode(ws.writeText("d", "x"), "IS_DIRECTORY");
      await expectCode(ws.writeText(".", "x"), "IS_DIRECTORY");
      await expectCode(ws.createText("z.txt", "x"), "ALREADY_EXISTS");
      await expectCode(ws.createDirectory("z.txt"), "ALREADY_EXISTS");
      await expectCode(ws.createText("z.txt/below.txt", "x"), "NOT_A_DIRECTORY");
      await expectCode(ws.writeText("no/where.txt", "x", { createDirs: false }), "PATH_NOT_FOUND");
      await expectCode(ws.remove("nowhere"), "FILE_NOT_FOUND");
      await expectCode(ws.remove(".", { recursive: true }), "INVALID_PATH");
    },
    sees: async (reader) => {
      expect(await contentsOf(reader)).toEqual({ ...TREE, "d/": "", "d/e/": "" });
    },
  },
];
