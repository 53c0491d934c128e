import { expect } from "../runner/expect.js";
import { contentsOf, expectCode, type WorkspaceScenario } from "./workspace-scenario.js";

const LINKED = { "d/a.txt": "a", "to-file": { link: "d/a.txt" }, "to-dir": { link: "d" } };

export const linkScenarios: readonly WorkspaceScenario[] = [
  {
    title: "reads through links, and reports their targets",
    given: LINKED,
    does: async () => {},
    sees: async (reader) => {
      expect(await reader.readText("to-file")).toBe("a");
      expect(await reader.readText("to-dir/a.txt")).toBe("a");
      expect(await reader.stat("to-dir/a.txt")).toMatchObject({ path: "d/a.txt", type: "file" });
      expect((await reader.list("to-dir")).map(({ path }) => path)).toEqual(["d/a.txt"]);
      const link = (await reader.list(".")).find(({ name }) => name === "to-file");
      expect(link).toMatchObject({ type: "symlink", target: "d/a.txt" });
    },
  },
  {
    title: "writes through a link to its target and keeps the link",
    given: LINKED,
    does: async (ws) => {
      await ws.writeText("to-file", "changed");
      await ws.createText("to-dir/new.txt", "new");
    },
    sees: async (reader) => {
      expect(await contentsOf(reader)).toEqual({
        "d/": "",
        "d/a.txt": "changed",
        "d/new.txt": "new",
        "to-dir": "-> d",
        "to-file": "-> d/a.txt",
      });
    },
  },
  {
    title: "creates links, also to later targets, and follows them immediately",
    given: { "a.txt": "a" },
    does: async (ws) => {
      await ws.createLink("links/here", "../a.txt");
      await ws.createLink("later", "made/later.txt");
      await ws.createText("made/later.txt", "later");
    },
    sees: async (reader) => {
      expect(await reader.readText("links/here")).toBe("a");
      expect(await reader.readText("later")).toBe("later");
    },
  },
  {
    title: "follows a link to its own directory",
    given: { "a.txt": "a", here: { link: "." } },
    does: (ws) => ws.writeText("here/a.txt", "through here"),
    sees: async (reader) => {
      expect(await reader.readText("a.txt")).toBe("through here");
      expect(await reader.readText("here/here/a.txt")).toBe("through here");
    },
  },
  {
    title: "deletes a link, not its target",
    given: LINKED,
    does: async (ws) => {
      await ws.remove("to-file");
      await ws.remove("to-dir", { recursive: true });
    },
    sees: async (reader) => expect(await contentsOf(reader)).toEqual({ "d/": "", "d/a.txt": "a" }),
  },
  {
    title: "moves a link, not its target, and follows it at its new place",
    given: LINKED,
    does: async (ws) => {
      await ws.move("to-file", "moved-link");
      await ws.writeText("moved-link", "through the moved link");
    },
    sees: async (reader) => {
      expect(await reader.exists("to-file")).toBe(false);
      expect(await reader.readText("d/a.txt")).toBe("through the moved link");
      expect((await reader.list(".")).map(({ name }) => name)).toEqual(["d", "moved-link", "to-dir"]);
    },
  },
  {
    title: "creates links to links that lead nowhere, into a circle, or below a file",
    given: { "a.txt": "a", "to-nowhere": { link: "missing" }, one: { link: "two" }, two: { link: "one" } },
    does: async (ws) => {
      await ws.createLink("to-link", "to-nowhere");
      await ws.createLink("to-circle", "one");
      await ws.createLink("to-itself", "to-itself");
      await ws.createLink("below-file", "a.txt/b");
      await ws.createLink("below-link", "to-nowhere/b");
    },
    sees: async (reader) => {
      expect(await contentsOf(reader)).toMatchObject({
        "below-file": "-> a.txt/b",
        "below-link": "-> to-nowhere/b",
        "to-circle": "-> one",
        "to-itself": "-> to-itself",
        "to-link": "-> to-nowhere",
      });
    },
  },
  {
    title: "rejects links that leave the workspace, and link cycles",
    given: { "a.txt": "a" },
    does: async (ws) => {
      await expectCode(ws.createLink("out", "../outside.txt"), "INVALID_PATH");
      await expectCode(ws.createLink("out", "/etc/passwd"), "INVALID_PATH");
      await expectCode(ws.createLink("a.txt", "b.txt"), "ALREADY_EXISTS");
      await ws.createLink("one", "two");
      await ws.createLink("three/two", "../one");
      await ws.move("three/two", "two");
    },
    sees: async (reader) => {
      expect(await reader.exists("out")).toBe(false);
      await expectCode(reader.readText("two"), "INVALID_PATH");
    },
  },
];
