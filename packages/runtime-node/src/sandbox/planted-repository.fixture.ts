// Bundled and started by planted-repository.test.ts: a host that is killed while a command may write to the repository.
import { openNodeWorkspace } from "../workspace/open-node-workspace.js";
import { bubblewrapSandbox } from "./bubblewrap-sandbox.js";
import { sandboxLimits } from "./sandbox-limits.js";

const [root = ""] = process.argv.slice(2);
const stateDirectory = `${root}/state`;
const workspace = await openNodeWorkspace(`${root}/ws`, { stateDirectory });
const sandbox = bubblewrapSandbox({ workspace, limits: sandboxLimits(), stateDirectory });
const planting = ["commondir", "hooks/pre-commit", "info/attributes"].map((name) => `cp evil .git/${name}`);
const line = `git add a.txt; ${planting.join("; ")}; touch .git/refs/planted; sleep 96.125`;
await sandbox.run(
  { kind: "command", argv: ["bash", "-c", line], repository: "write", timeoutMs: 100_000 },
  new AbortController().signal,
);
