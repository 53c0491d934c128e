import { expect, it } from "vitest";
import type { DiskSearch } from "./disk-search.js";
import { LeadSearch } from "./lead-search.js";
import { PathQueue, sharePathQueue } from "./path-queue.js";
import type { TeamSearch } from "./team-search.js";

const CHUNK = 64;
const FOLDERS = 600;

it.each([true, false])(
  "lists a tree to its end if the queue fills and empties meanwhile, both threads running: %s",
  (isFull) => {
    const queue = new PathQueue(sharePathQueue());
    queue.open(1);
    let listed = 0;
    let searched = 0;
    const search = {
      searchedFiles: 0,
      walk: (files: string[]) => {
        for (let file = 0; file < CHUNK; file++) files.push(`folder${listed}/file${file}`);
        return ++listed < FOLDERS;
      },
      // biome-ignore lint/correctness/useYield: all in one step
      *search(paths: readonly string[]): Generator<undefined, boolean, undefined> {
        searched += paths.length;
        return true;
      },
    };
    const lead = new LeadSearch(search as unknown as DiskSearch, 1);
    lead.join({ isFull, queue } as TeamSearch);
    const takeAll = () => {
      for (let paths = queue.take(); paths; paths = queue.take()) searched += paths.length;
    };
    for (let state = lead.step(); state !== "done"; state = lead.step())
      if (state === "wait" || !isFull) takeAll();
    takeAll();
    expect(searched).toBe(FOLDERS * CHUNK);
  },
);

it("ends if the search was stopped while the queue was full", () => {
  const queue = new PathQueue(sharePathQueue());
  queue.open(1);
  const search = {
    searchedFiles: 0,
    walk: (files: string[]) => {
      for (let file = 0; file < CHUNK; file++) files.push(`file${file}`);
      return true;
    },
  };
  const lead = new LeadSearch(search as unknown as DiskSearch, 1);
  lead.join({ isFull: true, queue } as TeamSearch);
  while (lead.step() !== "wait");
  queue.stop();
  expect(lead.step()).toBe("done");
});
