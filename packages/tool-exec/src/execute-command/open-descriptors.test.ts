import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { bundleProcess } from "../../../../tooling/testing/bundle-process.js";

const noBox = process.platform !== "linux" || !existsSync("/usr/bin/bwrap");
const LOOK =
  "import os\nfor n in sorted(os.listdir('/proc/self/fd')):\n  print(n, os.path.exists(f'/proc/self/fd/{n}/outside.txt'))\n";

let bin: string;
let script: string;
beforeAll(async () => {
  bin = mkdtempSync(join(tmpdir(), "haft-descriptors-bin-"));
  script = await bundleProcess(new URL("./open-descriptors.fixture.ts", import.meta.url), bin);
  // The second test runs it as another user.
  chmodSync(bin, 0o755);
}, 120_000);
afterAll(() => rmSync(bin, { recursive: true, force: true }));

it.skipIf(noBox)(
  "FE2 a descriptor that the host inherited is not usable in the box",
  async () => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), "haft-descriptors-")));
    mkdirSync(join(root, "ws"));
    writeFileSync(join(root, "outside.txt"), "outside\n");
    writeFileSync(join(root, "ws/look.py"), LOOK);
    const folder = openSync(root, "r");
    try {
      const held = Array.from({ length: 38 }, (_, index) => (index === 37 ? folder : ("ignore" as const)));
      const { stdout, stderr } = spawnSync(process.execPath, [script, root], {
        stdio: ["ignore", "pipe", "pipe", ...held],
        encoding: "utf8",
      });
      expect(stderr).toBe("");
      const told = JSON.parse(stdout) as string[];
      expect(told).toHaveLength(2);
      for (const text of told) {
        expect(text).toContain("0 False");
        expect(text).not.toContain("True");
      }
    } finally {
      closeSync(folder);
      rmSync(root, { recursive: true, force: true });
    }
  },
  60_000,
);

const NOBODY = 65_534;

// A root user's processes are counted by control groups, and are not limited by ulimit.
it.skipIf(noBox || process.getuid?.() !== 0)(
  "FE21 boxes work for an ordinary user who has many processes and may open few files",
  async () => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), "haft-ordinary-")));
    for (const name of ["ws", "state"]) mkdirSync(join(root, name));
    writeFileSync(join(root, "ws/look.py"), LOOK);
    for (const name of ["", "ws", "state", "ws/look.py"]) chownSync(join(root, name), NOBODY, NOBODY);
    const env = { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: root };
    const user = { uid: NOBODY, gid: NOBODY, cwd: root, env };
    // The default limit of a box is 128 processes.
    const others = spawn("bash", ["-c", "for i in {1..140}; do sleep 97.625 & done; echo; wait"], {
      ...user,
      detached: true,
    });
    const started = vi.fn();
    others.stdout.once("data", started);
    try {
      await vi.waitFor(() => expect(started).toHaveBeenCalled(), 20_000);
      const limited = ["-c", 'ulimit -n 300 && exec "$@"', "sh", process.execPath, script, root];
      const { stdout, stderr } = spawnSync("sh", limited, { ...user, encoding: "utf8" });
      expect(stderr).toBe("");
      const told = JSON.parse(stdout) as string[];
      expect(told).toHaveLength(2);
      for (const text of told) expect(text).toContain("0 False");
    } finally {
      process.kill(-(others.pid ?? 0), "SIGKILL");
      rmSync(root, { recursive: true, force: true });
    }
  },
  90_000,
);
