import { describe, expect, it } from "vitest";
import type { ChangeSummary } from "../workspace/describe-change.js";
import { boundDiffs } from "./bound-diffs.js";

const change = (diff?: string): ChangeSummary => ({
  kind: "create",
  path: "a",
  ...(diff !== undefined && { diff }),
});

describe("boundDiffs", () => {
  it("leaves a diff within the limit unchanged", () => {
    const changes = [change("+a\n"), change(), change("+b\n")];
    expect(boundDiffs(changes, 6)).toEqual(changes);
    expect(boundDiffs(changes, 6)[0]).toBe(changes[0]);
  });

  it("cuts at a line and counts the rest, across all changes", () => {
    const shown = boundDiffs([change("+one\n+two\n"), change("+three\n")], 7).map(({ diff }) => diff);
    expect(shown).toEqual(["+one\n[… 5 more characters]\n", "[… 7 more characters]\n"]);
  });
});
