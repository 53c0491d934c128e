import type { Workspace } from "@haft/core";
import type { Given } from "./workspace-scenario.js";

/** A rehearsed change, and what somebody else does to the same place before it is applied. */
export interface StaleCase {
  readonly title: string;
  readonly given: Given;
  rehearsed(workspace: Workspace): Promise<unknown>;
  /** What somebody else does before it is applied. */
  meanwhile(workspace: Workspace): Promise<unknown>;
}

export const STALE_CASES: readonly StaleCase[] = [
  {
    title: "modify: the content is another",
    given: { "a.txt": "a" },
    rehearsed: (ws) => ws.writeText("a.txt", "mine"),
    meanwhile: (ws) => ws.writeText("a.txt", "theirs"),
  },
  {
    title: "modify: the file is gone",
    given: { "a.txt": "a" },
    rehearsed: (ws) => ws.writeText("a.txt", "mine"),
    meanwhile: (ws) => ws.remove("a.txt"),
  },
  {
    title: "modify: a directory stands there now",
    given: { "a.txt": "a" },
    rehearsed: (ws) => ws.writeText("a.txt", "mine"),
    meanwhile: async (ws) => {
      await ws.remove("a.txt");
      await ws.createDirectory("a.txt");
    },
  },
  {
    title: "create: somebody was faster",
    given: {},
    rehearsed: (ws) => ws.createText("a.txt", "mine"),
    meanwhile: (ws) => ws.createText("a.txt", "theirs"),
  },
  {
    title: "create: the directory is gone",
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
    title: "delete: the content is another",
    given: { "a.txt": "a" },
    rehearsed: (ws) => ws.remove("a.txt"),
    meanwhile: (ws) => ws.writeText("a.txt", "theirs"),
  },
  {
    title: "delete: the link points elsewhere",
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
    title: "delete: a file in a directory that was itself changed before is another",
    given: { "d/a.txt": "a", "d/b.txt": "b" },
    rehearsed: async (ws) => {
      await ws.writeText("d/b.txt", "mine");
      await ws.remove("d", { recursive: true });
    },
    meanwhile: (ws) => ws.writeText("d/a.txt", "theirs"),
  },
  {
    title: "move: the content is another",
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
    title: "move: what it overwrites is another",
    given: { "a.txt": "a", "b.txt": "b" },
    rehearsed: (ws) => ws.move("a.txt", "b.txt", { overwrite: true }),
    meanwhile: (ws) => ws.writeText("b.txt", "theirs"),
  },
];
