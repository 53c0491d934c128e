// Makes the 1st, 2nd, ... Nth system call of a kind fail during one commit of several changes, and inspects the result.
// Needs strace. Usage: node bench/crash/faults.mjs [N]
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundle } from "../../packages/runtime-node/test-support/bundle.mjs";
import { SCENARIOS } from "./generations.mjs";

const most = Number(process.argv[2] ?? 20);
const base = mkdtempSync(join(tmpdir(), "haft-faults-"));
const product = await bundle(new URL("./product.mjs", import.meta.url).pathname, base);
const { OverlayWorkspace, openNodeWorkspace } = await import(product);
const script = new URL("./one-commit.mjs", import.meta.url).pathname;
const root = join(base, "ws");
const state = join(base, "state");
const faults = [
  "fsync:EIO",
  "rename:EIO",
  "rename:ENOSPC",
  "link:EIO",
  "unlink:EIO",
  "mkdir:ENOSPC",
  "fchmod:EPERM",
];
const totals = {};

mkdirSync(root);
await withWorkspace(async (workspace) => {
  const overlay = new OverlayWorkspace(workspace);
  await SCENARIOS.several.seed(overlay);
  await workspace.commit(overlay.changes, { callId: "seed", tool: "bench" });
});
for (const fault of faults) await injectAll(fault);
rmSync(base, { recursive: true });
console.table(totals);
const sum = (field) => Object.values(totals).reduce((total, each) => total + each[field], 0);
console.log(
  `faults: ${sum("runs")} runs, ${sum("failed")} commits failed with a code, ${sum("done")} were done (most of them had no Nth call), ` +
    `${sum("between")} between old and new, ${sum("strays")} temporary files left, ${sum("odd")} odd endings`,
);
process.exitCode = sum("between") + sum("strays") + sum("odd") === 0 ? 0 : 1;

async function injectAll(fault) {
  const total = { runs: 0, failed: 0, done: 0, between: 0, strays: 0, odd: 0, codes: "" };
  totals[fault] = total;
  const codes = new Set();
  for (let nth = 1; nth <= most; nth += 1) {
    const answer = inject(fault, nth);
    total.runs += 1;
    if (answer === "done") total.done += 1;
    else if (/^[A-Z_]+$/.test(answer) && !/^E[A-Z]+$/.test(answer)) total.failed += 1;
    else {
      total.odd += 1;
      console.error(fault, nth, answer);
    }
    codes.add(answer);
    await look(total, `${fault} ${nth}`);
  }
  total.codes = [...codes].join(" ");
}

/** Uses one thread for file work, so that the Nth system call is the same one in every run. */
function inject(fault, nth) {
  const [call, errno] = fault.split(":");
  const { stdout, stderr } = spawnSync(
    "strace",
    [
      "-f",
      "-qq",
      "-o",
      "/dev/null",
      "-e",
      `trace=${call}`,
      "-e",
      `inject=${call}:error=${errno}:when=${nth}`,
    ].concat([process.execPath, script, product, root, state]),
    { encoding: "utf8", env: { ...process.env, UV_THREADPOOL_SIZE: "1" } },
  );
  return stdout.trim() || stderr.trim().slice(0, 300);
}

/** The next start may have to recover; after that, every file is old or every file is new. */
async function look(total, what) {
  await withWorkspace(async () => {});
  total.strays += readdirSync(root, { recursive: true }).filter((name) => name.includes(".haft-")).length;
  try {
    SCENARIOS.several.check(root);
  } catch (error) {
    total.between += 1;
    console.error(what, error.message);
  }
}

async function withWorkspace(use) {
  const workspace = await openNodeWorkspace(root, { stateDirectory: state });
  await use(workspace);
  workspace.close();
}
