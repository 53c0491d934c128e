// Runs many agents over two workers that are killed at random. The harness is
// packages/worker/test-support/scale-run.ts.
import { spawn } from "node:child_process";

const ROOT = new URL("../../", import.meta.url).pathname;

/** 1,000 agents and leases of 15 s, as in production. A run shorter than a few leases uses leases of 1.5 s. */
export async function runKills(seconds) {
  const isShort = seconds < 60;
  const env = {
    ...process.env,
    HAFT_SCALE_SECONDS: String(seconds),
    HAFT_SCALE_AGENTS: isShort ? "100" : "1000",
    HAFT_SCALE_LEASE_MS: isShort ? "1500" : "15000",
  };
  const script = new URL("../../node_modules/vitest/vitest.mjs", import.meta.url).pathname;
  const args = [script, "run", "--silent=false", "packages/worker/src/scale.test.ts"];
  const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  child.stdout.on("data", (chunk) => {
    text += chunk;
  });
  const code = await new Promise((resolve) => child.once("exit", resolve));
  // Colour codes may stand before the first brace.
  const [json] = /\{$[\s\S]*?^\}$/m.exec(text) ?? [];
  if (json === undefined) {
    console.log(text);
    process.exitCode = 1;
    return "kills: not run, see above";
  }
  const found = JSON.parse(json);
  const { outcomes, ...measures } = found;
  console.table({ ...measures, ...outcomes });
  if (code !== 0) {
    console.log(text);
    process.exitCode = 1;
  }
  // Checked only with leases of production length.
  const missed = isShort
    ? []
    : [
        ...(found.slowestTakeoverMs > 20_000 ? ["a takeover took more than 20 s"] : []),
        ...(found.slowestSmallTenantMs > 2_000 ? ["a small tenant waited more than 2 s"] : []),
      ];
  if (missed.length > 0) {
    console.log(`missed: ${missed.join(", ")}`);
    process.exitCode = 1;
  }
  return (
    `${found.kills} kills in ${seconds} s, ${found.calls} calls, ${found.doubledEffects} effects doubled, ` +
    `${found.lostEffects} lost, ${found.unsettled} unsettled, ${found.pendingApprovals} approvals left`
  );
}
