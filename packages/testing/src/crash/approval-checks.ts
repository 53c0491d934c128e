import { decideApproval, pendingApprovals } from "@haft/core/calls";
import { expect } from "../runner/expect.js";
import { CRASH, type CrashChecks, type CrashStage, linesOf, until } from "./crash-bench.js";

/** Approvals across kills and deploys, concurrent deciders, stale plans, and cancellation in every state. */
export const APPROVAL_CHECKS: CrashChecks = [
  [
    "S6 an approval survives the kill of its worker, its client and the server, and a deploy",
    async (stage) => {
      const { store, killServer, connect } = stage.bench;
      const first = await stage.start();
      const client = await connect();
      const args = { path: stage.newId("kept"), text: "kept\n" };
      const options = { callId: stage.newId("approve") };
      void client.call("puts", args, options);
      await stage.inState(options.callId, "awaiting_approval");
      first.kill("SIGKILL");
      await client.dispose();
      await (await killServer?.())?.();
      const approvalId = await approvalOf(stage, options.callId);
      // A deploy: another worker starts and is drained while the request is open.
      await stage.stop(await stage.start());
      await decideApproval(store, CRASH.ann, { approvalId, answer: { approved: true } });
      const third = await stage.start();
      const again = await connect();
      expect(await again.call("puts", args, options)).toMatchObject({ ok: true });
      await again.dispose();
      await stage.stop(third);
    },
  ],
  [
    "S6 exactly one of two deciders wins; the other gets an error, and so does one without the right",
    async (stage) => {
      const { store } = stage.bench;
      const worker = await stage.start();
      const client = await stage.bench.connect();
      const callId = stage.newId("race");
      const call = client.call("puts", { path: stage.newId("race"), text: "x" }, { callId });
      await stage.inState(callId, "awaiting_approval");
      const approvalId = await approvalOf(stage, callId);
      const decision = { approvalId, answer: { approved: true } };
      await expect(decideApproval(store, CRASH.bob, decision)).rejects.toMatchObject({
        code: "PERMISSION_DENIED",
      });
      const decided = await Promise.allSettled([1, 2].map(() => decideApproval(store, CRASH.ann, decision)));
      expect(decided.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
      expect(decided.find(({ status }) => status === "rejected")).toMatchObject({
        reason: { code: "ALREADY_DECIDED" },
      });
      expect(await call).toMatchObject({ ok: true });
      await client.dispose();
      await stage.stop(worker);
    },
  ],
  [
    "S6 arguments changed by the approver are checked again and used",
    async (stage) => {
      const { store } = stage.bench;
      const worker = await stage.start();
      const client = await stage.bench.connect();
      const callId = stage.newId("changed");
      const [path, other] = [stage.newId("path"), stage.newId("path")];
      const call = client.call("puts", { path, text: "x" }, { callId });
      await stage.inState(callId, "awaiting_approval");
      const answer = { approved: true, modifiedArgs: { path: other, text: "y" } };
      await decideApproval(store, CRASH.ann, { approvalId: await approvalOf(stage, callId), answer });
      const result = await call;
      expect(result).toMatchObject({ ok: true, changes: [{ path: other }] });
      await client.dispose();
      await stage.stop(worker);
    },
  ],
  [
    "S7 an approval is stale if its file has changed: nothing is written",
    async (stage) => {
      const { store } = stage.bench;
      const worker = await stage.start();
      const client = await stage.bench.connect();
      const path = stage.newId("stale");
      const callId = stage.newId("stale");
      const late = client.call("puts", { path, text: "late" }, { callId });
      await stage.inState(callId, "awaiting_approval");
      const otherId = stage.newId("first");
      const first = client.call("puts", { path, text: "first" }, { callId: otherId });
      await stage.inState(otherId, "awaiting_approval");
      const approve = async (id: string) =>
        decideApproval(store, CRASH.ann, {
          approvalId: await approvalOf(stage, id),
          answer: { approved: true },
        });
      await approve(otherId);
      expect(await first).toMatchObject({ ok: true });
      await approve(callId);
      expect(await late).toMatchObject({ ok: false, error: { code: "PLAN_STALE" } });
      await client.dispose();
      await stage.stop(worker);
    },
  ],
  [
    "S9 cancels a call that is queued, awaits approval, runs, or is settled",
    async (stage) => {
      const { store, connect } = stage.bench;
      const cancel = (callId: string) => store.calls.cancel({ tenant: CRASH.tenant, callId, by: "ann" });
      const worker = await stage.start();
      const client = await connect();
      const log = stage.newLog();
      const ids = ["awaits", "runs", "queued"].map((name) => stage.newId(name));
      const [awaits = "", runs = "", queued = ""] = ids;
      const waiting = client.call("puts", { path: awaits, text: "x" }, { callId: awaits });
      await stage.inState(awaits, "awaiting_approval");
      await cancel(awaits);
      expect(await waiting).toMatchObject({ error: { code: "CANCELLED" } });
      const running = client.call("appends", { log, line: "x", after_ms: 600_000 }, { callId: runs });
      await until(() => linesOf(log).length > 0);
      await cancel(runs);
      expect(await running).toMatchObject({ error: { code: "CANCELLED" } });
      expect(await cancel(runs)).toMatchObject({ settlement: { outcome: "cancelled" } });
      await stage.stop(worker);
      const late = client.call("appends", { log, line: "y" }, { callId: queued });
      await stage.inState(queued, "queued");
      await cancel(queued);
      expect(await late).toMatchObject({ error: { code: "CANCELLED" } });
      expect(linesOf(log)).toEqual(["x"]);
      await client.dispose();
    },
  ],
];

async function approvalOf({ bench }: CrashStage, callId: string): Promise<string> {
  const found = (await pendingApprovals(bench.store, CRASH.tenant)).find(
    ({ request }) => request.callId === callId,
  );
  if (found === undefined) throw new Error(`no approval of ${callId} is pending`);
  return found.request.stepId;
}
