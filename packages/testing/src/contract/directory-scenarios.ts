import { expect } from "vitest";
import { contentsOf, expectCode, type WorkspaceScenario } from "./workspace-scenario.js";

const TREE = { "d/a.txt": "a", "d/e/b.txt": "b", "d/e/c.txt": "c", "z.txt": "z" };

export const directoryScenarios: readonly WorkspaceScenario[] = [
  {
    title: "makes a directory, once or twice",
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
    title: "deletes a directory with everything below it, and says what went",
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
    title: "deletes an empty directory without being told twice",
    given: { "d/": null },
    does: (ws) => ws.remove("d"),
    sees: async (reader) => expect(await contentsOf(reader)).toEqual({}),
  },
  {
    title: "deletes a directory that it has itself changed before",
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
    title: "a deleted directory can be made again and is empty",
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
    title: "lists by name, and walks parents before children, hidden only when asked, as deep as asked",
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
    title: "refuses what does not fit: a file where a directory is, a directory where a file is",
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
