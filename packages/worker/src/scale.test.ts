import { expect, it } from "vitest";
import { describeUnless } from "../../../tooling/testing/describe-unless.js";
import { noPostgres } from "../../../tooling/testing/start-postgres.js";
import { runScale } from "../test-support/scale-run.js";

// `bench/scale` has the five-minute version and its numbers; this one is short.
const seconds = Number(process.env.HAFT_SCALE_SECONDS ?? 6);
const leaseMs = Number(process.env.HAFT_SCALE_LEASE_MS ?? 1_500);

describeUnless(noPostgres(), "many agents over two workers that are killed at random", () => {
  it("S2 S4 S6 no effect is doubled, no approval is lost, every call settles once", {
    timeout: (seconds + 180) * 1_000,
  }, async () => {
    const agents = Number(process.env.HAFT_SCALE_AGENTS ?? 100);
    const found = await runScale({ agents, seconds, leaseMs });
    if (process.env.HAFT_SCALE_SECONDS !== undefined) console.log(JSON.stringify(found, null, 2));
    expect(found).toMatchObject({ doubledEffects: 0, lostEffects: 0, unsettled: 0, pendingApprovals: 0 });
    expect(found.calls).toBeGreaterThan(0);
    expect(found.slowestSmallTenantMs).toBeGreaterThan(0);
    expect(found.kills).toBeGreaterThan(0);
  });
});
