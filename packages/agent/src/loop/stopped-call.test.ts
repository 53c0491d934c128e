import { expect, it } from "vitest";
import { openRun } from "../../test-support/scripted-run.js";

const act = (what: string, ms = 0) => ({ name: "act", args: { what, ms } });

it("S3.APPR a person stops one call: its sibling finishes, and the model learns who stopped it", async () => {
  const { run, server, done } = await openRun([
    { calls: [act("long", 600_000), act("short")] },
    { text: "Went on." },
  ]);
  await expect.poll(() => done).toEqual(expect.arrayContaining(["begin long", "end short"]));
  const [long] = run.state.calls;
  run.stopCall(long?.callId ?? "", "ada");
  const outcome = await run.done;
  await server.close();
  expect(outcome).toMatchObject({ reason: "end_turn", summary: "Went on." });
  const settled = run.log.filter((event) => event.type === "call.settled");
  expect(settled.map(({ outcome: how }) => how).sort()).toEqual(["cancelled", "ok"]);
  const heard = JSON.stringify(server.requests.at(-1)?.messages);
  expect(heard).toContain("CANCELLED: ada stopped this call");
  expect(() => run.stopCall(long?.callId ?? "")).toThrow(/is not running/);
});
