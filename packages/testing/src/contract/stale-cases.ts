import type { Workspace } from "@haft/core";
import type { Given } from "./workspace-scenario.js";

/** A rehearsed change, and a concurrent change of the same path before it is applied. */
export interface StaleCase {
  readonly title: string;
  readonly given: Given;
  rehearsed(workspace: Workspace): Promise<unknown>;
  /** Applies the concurrent change. */
  meanwhile(workspace: Workspace): Promise<unknown>;
}

export const STALE_CASES: readonly StaleCase[] = [
  {
    title: "modify: the content has changed",
    given: { "a.txt": "a" },
    rehearsed: (ws) => ws.writeText("a.txt", "mine"),
    meanwhile: (ws) => ws.writeText("a.txt", "theirs"),
  },
  {
    title: "modify: the file was deleted",
    given: { "a.txt": "a" },
    rehearsed: (ws) => ws.writeText("a.txt", "mine"),
    meanwhile: (ws) => ws.remove("a.txt"),
  },
  {
    title: "modify: the path is now a directory",
    given: { "a.txt": "a" },
    rehearsed: (ws) => ws.writeText("a.txt", "mine"),
    meanwhile: async (ws) => {
      await ws.remove("a.txt");
      await ws.createDirectory("a.txt");
    },
  },
  {
    title: "modify: the permissions of a directory have changed",
    given: { "d/a.txt": "a" },
    rehearsed: (ws) => ws.setDirectoryMode("d", 0o750),
    meanwhile: (ws) => ws.setDirectoryMode("d", 0o711),
  },
  {
    title: "modify: the directory is now a file",
    given: { "d/a.txt": "a" },
    rehearsed: (ws) => ws.setDirectoryMode("d", 0o750),
    meanwhile: async (ws) => {
      await ws.remove("d", { recursive: true });
      await ws.createText("d", "theirs");
    },
  },
  {
    title: "create: the file already exists",
    given: {},
    rehearsed: (ws) => ws.createText("a.txt", "mine"),
    meanwhile: (ws) => ws.createText("a.txt", "theirs"),
  },
  {
    title: "create: the directory was deleted",
    given: { "d/": null },
    rehearsed: (ws) => ws.createText("d/a.txt", "mine"),
    meanwhile: (ws) => ws.remove("d"),
  },
  {
    title: "create a link: the name is taken",
    given: {},
    rehearsed: (ws) => ws.createLink("link", "x.txt"),
    meanwhile: (ws) => ws.createText("link", "theirs"),
  },
  {
    title: "delete: the content has changed",
    given: { "a.txt": "a" },
    rehearsed: (ws) => ws.remove("a.txt"),
    meanwhile: (ws) => ws.writeText("a.txt", "theirs"),
  },
  {
    title: "delete: the link has another target",
    given: { link: { link: "x.txt" } },
    rehearsed: (ws) => ws.remove("link"),
    meanwhile: async (ws) => {
      await ws.remove("link");
      await ws.createLink("link", "y/z.txt");
    },
  },
  {
    title: "delete: something was added to the directory",
    given: { "d/a.txt": "a" },
    rehearsed: (ws) => ws.remove("d", { recursive: true }),
    meanwhile: (ws) => ws.createText("d/theirs.txt", "theirs"),
  },
  {
    title: "delete: a file in an already changed directory has changed",
    given: { "d/a.txt": "a", "d/b.txt": "b" },
    rehearsed: async (ws) => {
      await ws.writeText("d/b.txt", "mine");
      await ws.remove("d", { recursive: true });
    },
    meanwhile: (ws) => ws.writeText("d/a.txt", "theirs"),
  },
  {
    title: "move: the content has changed",
    given: { "a.txt": "a" },
    rehearsed: (ws) => ws.move("a.txt", "b.txt"),
    meanwhile: (ws) => ws.writeText("a.txt", "theirs"),
  },
  {
    title: "move: the destination is taken",
    given: { "a.txt": "a" },
    rehearsed: (ws) => ws.move("a.txt", "b.txt"),
    meanwhile: (ws) => ws.createText("b.txt", "theirs"),
  },
  {
    title: "move: the overwritten file has changed",
    given: { "a.txt": "a", "b.txt": "b" },
    rehearsed: (ws) => ws.move("a.txt", "b.txt", { overwrite: true }),
    meanwhile: (ws) => ws.writeText("b.txt", "theirs"),
  },
];
