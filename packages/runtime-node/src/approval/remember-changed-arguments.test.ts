import type { ApprovalAnswer, ApprovalRequest } from "@haft/core";
import { describe, expect, it } from "vitest";
import { readsFile, runsCommand, writesFile } from "../../test-support/file-tools.js";
import { runtimeFolder } from "../../test-support/runtime-folder.js";

const folder = runtimeFolder({ "a.txt": "old\n" }, { tools: [readsFile, writesFile, runsCommand] });

async function open(answer: (asked: number) => ApprovalAnswer) {
  const asked: ApprovalRequest[] = [];
  const runtime = await folder.open({
    readBeforeWrite: "off",
    approver: async (request) => answer(asked.push(request)),
  });
  return { runtime, asked };
}

const original = { path: "a.txt", text: "theirs\n" };
const modifiedArgs = { path: "b.txt", text: "mine\n" };

describe("FE15 remember together with changed arguments", () => {
  it("shows the changed call again, then remembers exactly that call", async () => {
    const { runtime, asked } = await open(() => ({ approved: true, modifiedArgs, remember: "session" }));
    await using _ = runtime;
    expect(await runtime.call("writes_file", original)).toMatchObject({ ok: true });
    expect(asked).toHaveLength(2);
    expect(asked[1]).toMatchObject({
      args: modifiedArgs,
      reason: expect.stringContaining("the arguments were changed"),
      changes: [{ kind: "create", path: "b.txt" }],
    });
    expect(await runtime.grants.list()).toMatchObject([{ match: { paths: ["b.txt"], kinds: ["create"] } }]);
    expect(folder.content("b.txt")).toBe("mine\n");
    expect(folder.content("a.txt")).toBe("old\n");
    // The call that was shown first is not covered.
    await runtime.call("writes_file", original);
    expect(asked.length).toBeGreaterThan(2);
  });

  it("remembers nothing and runs nothing if the second answer is a denial", async () => {
    const { runtime, asked } = await open((count) =>
      count === 1 ? { approved: true, modifiedArgs, remember: "project" } : { approved: false },
    );
    await using _ = runtime;
    expect(await runtime.call("writes_file", original)).toMatchObject({ error: { code: "APPROVAL_DENIED" } });
    expect(asked).toHaveLength(2);
    expect(await runtime.grants.list()).toEqual([]);
    expect(folder.content("a.txt")).toBe("old\n");
  });
});
