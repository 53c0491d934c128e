import { APPROVAL_CHECKS } from "./crash/approval-checks.js";
import { CRASH, type CrashBench, CrashStage } from "./crash/crash-bench.js";
import { KILL_CHECKS } from "./crash/kill-checks.js";
import { LOAD_CHECKS } from "./crash/load-checks.js";
import { OUTAGE_CHECKS } from "./crash/outage-checks.js";
import { afterAll, describe, it } from "./runner/runner.js";

/**
 * Tests what a shared store preserves when real processes are killed and stopped. `HAFT_CRASH_SECONDS=60` and
 * `HAFT_CRASH_AWAY_SECONDS=30` select the long form.
 */
export function describeCrashContract(name: string, open: () => Promise<CrashBench>): void {
  describe(`the crash contract: ${name}`, () => {
    let opening: Promise<CrashStage> | undefined;
    const stage = () => {
      opening ??= openStage(open);
      return opening;
    };
    for (const [title, check] of [...KILL_CHECKS, ...APPROVAL_CHECKS, ...LOAD_CHECKS, ...OUTAGE_CHECKS])
      it(title, async () => check(await stage()), HANGS_AFTER_MS);
    afterAll(async () => {
      const opened = await opening?.catch(() => undefined);
      await opened?.bench[Symbol.asyncDispose]();
    }, HANGS_AFTER_MS);
  });
}

const HANGS_AFTER_MS = 240_000;

async function openStage(open: () => Promise<CrashBench>): Promise<CrashStage> {
  const stage = new CrashStage(await open());
  await stage.bench.store.members.put({ ...CRASH.ann, rights: ["approve"] });
  return stage;
}
