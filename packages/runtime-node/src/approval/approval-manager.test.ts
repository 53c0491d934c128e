import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { ApprovalRequest, ToolEvent } from "@haft/core";
import { describe, expect, it } from "vitest";
import {
  deletesFile,
  readsFile,
  runsCommand,
  updatesFile,
  writesFile,
} from "../../test-support/file-tools.js";
import { runtimeFolder } from "../../test-support/runtime-folder.js";

const folder = runtimeFolder(
  { "f.txt": "old\n" },
  {
    tools: [readsFile, writesFile, updatesFile, deletesFile, runsCommand],
  },
);
const { open } = folder;

const content = (name = "f.txt") => folder.content(name);
const approvalFiles = () => {
  try {
    return readdirSync(join(folder.base, "state", "approvals"));
  } catch {
    return [];
  }
};
const put = { path: "f.txt", text: "new\n" };

async function until<T>(look: () => Promise<T | undefined> | T | undefined): Promise<T> {
  for (let round = 0; round < 400; round += 1) {
    const found = await look();
    if (found !== undefined) return found;
    await delay(5);
  }
  throw new Error("it did not happen");
}

const firstPending = (runtime: Awaited<ReturnType<typeof open>>) =>
  until(async () => (await runtime.pending())[0]);

describe("S3.APPR the approved call is the one that runs", () => {
  it("ap-901 an approved call runs; the request shows the change", async () => {
    const asked: ApprovalRequest[] = [];
    await using runtime = await open({
      approver: async (request) => {
        asked.push(request);
        return { approved: true };
      },
    });
    await runtime.call("reads_file", { path: "f.txt" });
    expect(await runtime.call("updates_file", put)).toMatchObject({
      ok: true,
      changes: [{ kind: "modify", path: "f.txt" }],
    });
    expect(content()).toBe("new\n");
    expect(asked).toMatchObject([
      {
        tool: "updates_file",
        args: put,
        risk: "medium",
        changes: [{ diff: expect.stringContaining("+new") }],
      },
    ]);
  });

  it("a request is listed as soon as its event is emitted", async () => {
    await using runtime = await open({ decidable: true });
    const listed = new Promise<readonly string[]>((resolve) => {
      runtime.watch(({ type }) => {
        if (type !== "approval-requested") return;
        void runtime.pending().then((all) => resolve(all.map(({ callId }) => callId)));
      });
    });
    const call = runtime.call("writes_file", put, { callId: "early" });
    expect(await listed).toEqual(["early"]);
    await runtime.decide((await firstPending(runtime)).approvalId, { approved: false });
    await call;
  });

  it("ap-902 runs with the arguments that the approver changed", async () => {
    await using runtime = await open({
      approver: async () => ({ approved: true, modifiedArgs: { path: "f.txt", text: "human\n" } }),
    });
    expect(await runtime.call("writes_file", put)).toMatchObject({
      ok: true,
      warnings: [expect.stringContaining("changed by the user")],
    });
    expect(content()).toBe("human\n");
  });

  it("changed arguments that leave the workspace, or that a rule denies, do not run", async () => {
    const deny = { effect: "deny", when: { path: "locked/**" } } as const;
    for (const path of ["../outside.txt", "locked/x"]) {
      await using runtime = await open({
        rules: [deny],
        approver: async () => ({ approved: true, modifiedArgs: { path, text: "x" } }),
      });
      expect(await runtime.call("writes_file", put)).toMatchObject({ ok: false });
    }
    expect(content()).toBe("old\n");
    expect(readdirSync(folder.base).sort()).toEqual(["state", "ws"]);
  });

  it("a file changed while the request is pending is not overwritten", async () => {
    await using runtime = await open({
      approver: async () => {
        writeFileSync(join(folder.root, "f.txt"), "somebody else\n");
        return { approved: true };
      },
    });
    const result = await runtime.call("writes_file", put);
    expect(result).toMatchObject({ ok: false, error: { code: expect.stringMatching(/STALE/) } });
    expect(content()).toBe("somebody else\n");
  });

  it("neither the approver nor the caller can change a request", async () => {
    const args = { ...put };
    await using runtime = await open({
      approver: async (request) => {
        (request.args as { text: string }).text = "forged";
        args.text = "forged";
        return { approved: true };
      },
    });
    await runtime.call("writes_file", args);
    expect(content()).toBe("new\n");
  });

  it("an approver that throws, hangs on nonsense or returns it denies, and the model is told", async () => {
    const answers = [
      () => {
        throw new Error("display lost");
      },
      async () => {
        throw new Error("display lost");
      },
      async () => "yes",
    ];
    for (const approver of answers) {
      await using runtime = await open({ approver: approver as never });
      expect(await runtime.call("writes_file", put)).toMatchObject({
        error: { code: "APPROVAL_DENIED", message: expect.stringMatching(/display lost|not understood/) },
      });
    }
    expect(content()).toBe("old\n");
  });
});

describe("S3.APPR pending approvals", () => {
  it("are listed, decided from elsewhere, and deleted with their arguments", async () => {
    await using runtime = await open({ decidable: true });
    const running = runtime.call("writes_file", put);
    const pending = await firstPending(runtime);
    expect(pending).toMatchObject({
      tool: "writes_file",
      args: put,
      waiter: "here",
      stepId: pending.approvalId,
    });
    const [file] = approvalFiles();
    expect(statSync(join(folder.base, "state", "approvals", file as string)).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder.base, "state", "approvals")).mode & 0o077).toBe(0);
    expect(await runtime.decide(pending.approvalId, { approved: true })).toEqual({});
    expect(await running).toMatchObject({ ok: true });
    expect(await runtime.pending()).toEqual([]);
    const left = approvalFiles();
    expect(left).toEqual([`${pending.approvalId}.decided.json`]);
    expect(readFileSync(join(folder.base, "state", "approvals", left[0] as string), "utf8")).not.toContain(
      "new",
    );
  });

  it("are on disk before anybody is asked", async () => {
    let seen: readonly string[] = [];
    await using runtime = await open({
      approver: async () => {
        seen = approvalFiles();
        return { approved: true };
      },
    });
    await runtime.call("writes_file", put);
    expect(seen).toEqual([expect.stringMatching(/\.pending\.json$/)]);
  });

  it("are decided once: of many simultaneous deciders one succeeds", async () => {
    await using runtime = await open({ decidable: true });
    const running = runtime.call("writes_file", put);
    const { approvalId } = await firstPending(runtime);
    const tries = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) => runtime.decide(approvalId, { approved: index % 2 === 0 })),
    );
    expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const one of tries)
      if (one.status === "rejected") expect(one.reason).toMatchObject({ code: "ALREADY_DECIDED" });
    expect(await running).toMatchObject({ ok: tries[0]?.status === "fulfilled" });
    await expect(runtime.decide(approvalId, { approved: true })).rejects.toMatchObject({
      code: "ALREADY_DECIDED",
    });
  });

  it("another runtime of the same folder can decide for the waiting one, once", async () => {
    await using waits = await open({ decidable: true });
    await using decides = await open({ decidable: true });
    const running = waits.call("writes_file", put);
    const pending = await firstPending(decides);
    expect(pending.waiter).toBe("elsewhere");
    expect(await decides.decide(pending.approvalId, { approved: true, remember: "session" })).toEqual({});
    await expect(decides.decide(pending.approvalId, { approved: false })).rejects.toMatchObject({
      code: "ALREADY_DECIDED",
    });
    await expect(waits.decide(pending.approvalId, { approved: false })).rejects.toMatchObject({
      code: "ALREADY_DECIDED",
    });
    expect(await running).toMatchObject({ ok: true });
    expect(await waits.grants.list()).toHaveLength(1);
    expect(await decides.grants.list()).toHaveLength(0);
  });

  it("a call receives a decision made in another process", async () => {
    await using waits = await open({ decidable: true });
    await using decides = await open({ decidable: true });
    const running = waits.call("writes_file", put);
    const { approvalId } = await firstPending(decides);
    await decides.decide(approvalId, { approved: true, remember: "session" });
    expect(await decides.pending()).toEqual([]);
    expect(await running).toMatchObject({ ok: true });
    expect(await waits.grants.list()).toHaveLength(1);
    expect(await decides.grants.list()).toHaveLength(0);
  });

  it("S8 an approval that cannot be stored does not count: the call fails and names the obstacle", async () => {
    await using runtime = await open({ decidable: true });
    const running = runtime.call("writes_file", put);
    const { approvalId } = await firstPending(runtime);
    rmSync(join(folder.base, "state", "approvals"), { recursive: true });
    writeFileSync(join(folder.base, "state", "approvals"), "in the way");
    await runtime.decide(approvalId, { approved: true });
    expect(await running).toMatchObject({
      error: {
        code: "STATE_DAMAGED",
        message: `${join(folder.base, "state", "approvals")} is not a folder`,
        hint: expect.stringContaining("move it out of the state folder"),
      },
    });
    expect(content()).toBe("old\n");
  });

  it("an approval whose record was removed is not used", async () => {
    await using runtime = await open({ decidable: true });
    const running = runtime.call("writes_file", put);
    const { approvalId } = await firstPending(runtime);
    for (const name of approvalFiles()) rmSync(join(folder.base, "state", "approvals", name));
    await runtime.decide(approvalId, { approved: true });
    expect(await running).toMatchObject({ error: { code: "PLAN_STALE" } });
    expect(content()).toBe("old\n");
  });

  it("an approver and decide race; the loser is told", async () => {
    let release = () => {};
    const shown = new Promise<void>((resolve) => {
      release = resolve;
    });
    let closed = false;
    await using runtime = await open({
      approver: async (_request, signal) => {
        await Promise.race([shown, new Promise((resolve) => signal.addEventListener("abort", resolve))]);
        closed = signal.aborted;
        return { approved: true };
      },
    });
    const running = runtime.call("writes_file", put);
    const { approvalId } = await firstPending(runtime);
    await runtime.decide(approvalId, { approved: false, feedback: "not now" });
    expect(await running).toMatchObject({
      error: { code: "APPROVAL_DENIED", message: expect.stringContaining("not now") },
    });
    await until(() => (closed ? true : undefined));
    release();
    expect(content()).toBe("old\n");
  });

  it("wait in parallel, each for its own answer, in any order", async () => {
    await using runtime = await open({ decidable: true });
    const calls = ["a", "b", "c"].map((name) =>
      runtime.call("writes_file", { path: `${name}.txt`, text: name }),
    );
    const pending = await until(async () => {
      const all = await runtime.pending();
      return all.length === 3 ? all : undefined;
    });
    const byPath = new Map(pending.map((one) => [one.changes[0]?.path, one.approvalId]));
    await runtime.decide(byPath.get("c.txt") as string, { approved: true });
    await runtime.decide(byPath.get("a.txt") as string, { approved: false });
    await runtime.decide(byPath.get("b.txt") as string, { approved: true });
    expect((await Promise.all(calls)).map(({ ok }) => ok)).toEqual([false, true, true]);
    expect(readdirSync(folder.root).sort()).toEqual(["b.txt", "c.txt", "f.txt"]);
  });

  it("S3.APPR time out as a denial with its own code", async () => {
    await using runtime = await open({ decidable: true, approvals: { timeoutMs: 40 } });
    expect(await runtime.call("writes_file", put)).toMatchObject({ error: { code: "APPROVAL_TIMEOUT" } });
    expect(await runtime.pending()).toEqual([]);
    expect(content()).toBe("old\n");
  });

  it("settle when the caller gives up, which withdraws the request, or the runtime ends, which keeps it (FE16)", async () => {
    const runtime = await open({ approver: () => new Promise(() => {}) });
    const abort = new AbortController();
    const given = runtime.call("writes_file", put, { signal: abort.signal });
    const ended = runtime.call("writes_file", { ...put, path: "g.txt" });
    await until(async () => ((await runtime.pending()).length === 2 ? true : undefined));
    abort.abort();
    expect(await given).toMatchObject({ error: { code: "CANCELLED" } });
    await runtime.dispose();
    expect(await ended).toMatchObject({ error: { code: "CANCELLED" } });
    await using next = await open({ decidable: true });
    await until(async () => ((await next.pending()).length === 1 ? true : undefined));
    expect(await next.pending()).toMatchObject([{ args: { path: "g.txt" }, waiter: "gone" }]);
    expect(approvalFiles().filter((name) => name.includes("pending"))).toHaveLength(1);
  });

  it("an invalid id cannot reach a file", async () => {
    await using runtime = await open({ decidable: true });
    for (const id of ["", "../../etc/passwd", "a/b", "nope", "x".repeat(500)])
      await expect(runtime.decide(id, { approved: true })).rejects.toMatchObject({
        code: "APPROVAL_NOT_FOUND",
      });
  });

  it("a read-only state directory denies, and the reason is reported", async () => {
    writeFileSync(join(folder.base, "state-file"), "");
    await using runtime = await open({ approver: async () => ({ approved: true }) });
    rmSync(join(folder.base, "state"), { recursive: true, force: true });
    writeFileSync(join(folder.base, "state"), "in the way");
    const result = await runtime.call("writes_file", put);
    expect(result).toMatchObject({ ok: false });
    expect(content()).toBe("old\n");
  });

  it("an answer given during the event counts, and the events report it", async () => {
    await using runtime = await open({ decidable: true });
    const events: ToolEvent[] = [];
    const decided: Promise<unknown>[] = [];
    runtime.watch((event) => {
      events.push(event);
      if (event.type !== "approval-requested") return;
      const { stepId } = event.request;
      decided.push(runtime.decide(stepId, { approved: true, stepId }));
    });
    expect(await runtime.call("writes_file", put)).toMatchObject({ ok: true });
    expect(await Promise.all(decided)).toEqual([{}]);
    expect(events.map(({ type }) => type)).toContain("approval-answered");
  });
});
