import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { SandboxOutcome, SandboxRequest } from "@haft/core/capabilities";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type TemporaryWorkspace, temporaryWorkspace } from "../../test-support/temporary-workspace.js";
import { MAX_COPIED } from "./copied-view.js";
import { findPortable, portableSandbox } from "./portable-sandbox.js";
import { sandboxLimits } from "./sandbox-limits.js";

const CANARY = "CANARY-7f2";
const never = new AbortController().signal;
const small = { ...sandboxLimits(), memoryMb: 256, cpuSeconds: 1, fileSizeMb: 16 };
let place: TemporaryWorkspace;

beforeEach(async () => {
  place = await temporaryWorkspace({
    "a.txt": "one\n",
    "sub/b.txt": "two\n",
    "mod.py": "x = 7\n",
    inside: { link: "a.txt" },
    ".env": `KEY=${CANARY}\n`,
    ".git/hooks/sample": "#!/bin/sh\n",
  });
  writeFileSync(join(place.outside, "secret.txt"), CANARY);
});
afterEach(() => place.dispose());

async function run(
  request: Partial<SandboxRequest>,
  limits = sandboxLimits(),
  signal = never,
): Promise<SandboxOutcome> {
  const { workspace, stateDirectory } = place;
  const sandbox = portableSandbox({ workspace, limits, stateDirectory, programs: await findPortable() });
  return sandbox.run({ argv: ["true"], timeoutMs: 60_000, ...request }, signal);
}

const bash = (code: string, more: Partial<SandboxRequest> = {}, limits = sandboxLimits()) =>
  run({ argv: ["bash", "{script}"], script: { name: "main.sh", content: code }, ...more }, limits);
const python = (code: string, more: Partial<SandboxRequest> = {}, limits = sandboxLimits()) =>
  run({ argv: ["python3", "{script}"], script: { name: "main.py", content: code }, ...more }, limits);

describe("portableSandbox", { timeout: 60_000 }, () => {
  it("S3.RUN runs bash with arguments, input and variables, and reports its changes", async () => {
    const outcome = await bash(
      `echo "$1|$#|$A"; cat; cat inside; echo more >> a.txt; rm sub/b.txt; mkdir d; echo ü > d/new; ln -s a.txt link; echo bad >&2; exit 9`,
      { argv: ["bash", "{script}", "it's  $HOME", "c"], stdin: "typed\\n", env: { A: "1", PATH: "/evil" } },
    );
    expect(outcome).toMatchObject({ exitCode: 9, timedOut: false, warnings: [] });
    expect(outcome.stdout.text).toBe("it's  $HOME|2|1\ntyped\\none\n");
    expect(outcome.stderr.text).toBe("bad\n");
    expect(outcome.changes.map(({ kind, path }) => `${kind} ${path}`)).toEqual([
      "file a.txt",
      "directory d",
      "file d/new",
      "symlink link",
      "delete sub/b.txt",
    ]);
    expect(readFileSync(join(place.root, "a.txt"), "utf8")).toBe("one\n");
    expect(readdirSync(join(place.stateDirectory, "sandbox"))).toEqual([]);
  });

  it("S3.RUN runs Python over the same files, with modules of the workspace", async () => {
    const outcome = await python(
      "import sys, mod, os\nprint(sys.argv[1:], sys.stdin.read(), mod.x, open('inside').read(), 'ü')\nopen('made.txt', 'w').write('hi')\nos.remove('a.txt')",
      { argv: ["python3", "{script}", "x y"], stdin: "typed" },
    );
    expect([outcome.stdout.text, outcome.stderr.text]).toEqual(["['x y'] typed 7 one\n ü\n", ""]);
    expect([outcome.changes.map(({ kind, path }) => `${kind} ${path}`), outcome.warnings]).toEqual([
      ["delete a.txt", "file made.txt"],
      [],
    ]);
    const failed = await python("from __future__ import annotations\nprint(__name__)\n\n1 / 0");
    expect([failed.stdout.text, failed.exitCode]).toEqual(["__main__\n", 1]);
    expect(failed.stderr.text).toContain('"main.py", line 4');
  });

  it("S4.005.c R19 cannot read secrets or files outside, under any name", async () => {
    symlinkSync(place.outside, join(place.root, "out"));
    symlinkSync(".env", join(place.root, "harmless"));
    const code = `cat .env harmless out/secret.txt ../outside/secret.txt ${place.outside}/secret.txt /etc/passwd /proc/self/environ; ls / ..; env; ln -s /etc e; cat e/passwd; echo x > out/made`;
    const shell = await bash(code);
    const snake = await python(
      `import os\nfor p in ['.env','harmless','out/secret.txt','../outside/secret.txt','${place.outside}/secret.txt','/host/etc/passwd','/etc/passwd']:\n  try: print(open(p).read())\n  except Exception as e: print(type(e).__name__)\nprint(dict(os.environ))`,
    );
    expect(JSON.stringify([shell, snake])).not.toMatch(/CANARY-7f2|root:/);
    expect(readdirSync(place.outside)).toEqual(["secret.txt"]);
  });

  it("S15 does not create a link out of the workspace or anything in its place, and shows no internal path", async () => {
    symlinkSync(place.outside, join(place.root, "out"));
    for (const code of [
      `ln -s ${place.outside} o; echo hi > o/y`,
      `ln -s ../../${"../".repeat(9)}tmp o; echo hi >> o/y`,
      "echo hi > out/made",
      `ln -s ${place.outside} sub/o; mkdir z; cp a.txt sub/o/a.txt`,
    ]) {
      const outcome = await bash(`echo before > a.txt; ${code}`);
      const changed = outcome.changes.map(({ path }) => path).filter((path) => path !== "z");
      expect([code, changed, outcome.warnings]).toEqual([code, ["a.txt"], []]);
      expect(outcome.stderr.text).toMatch(/ENOENT|permission denied/i);
      expect(outcome.stderr.text.length).toBeLessThan(500);
      expect(JSON.stringify(outcome)).not.toContain(place.stateDirectory);
    }
    const inside = await bash(`ln -s ${place.root}/a.txt sub/l; cat sub/l`);
    expect(inside.stdout.text).toBe("one\n");
    expect(inside.changes).toEqual([{ kind: "symlink", path: "sub/l", target: "../a.txt" }]);
  });

  it("lists a folder whose links dangle or lead out; only they cannot be read", async () => {
    symlinkSync(place.outside, join(place.root, "sub/out"));
    // Its last name is that of a neighbouring file, to which it does not lead.
    symlinkSync(join(place.outside, "b.txt"), join(place.root, "sub/away"));
    symlinkSync("nothing", join(place.root, "sub/broken"));
    symlinkSync(join(place.root, "a.txt"), join(place.root, "sub/whole"));
    const names = ["away", "b.txt", "broken", "out", "whole"];
    const snake = await python(
      [
        "import os, json",
        "def kind(path):",
        "  try: return open(path).read()",
        "  except OSError as error: return type(error).__name__",
        "print(json.dumps([sorted(os.listdir('sub')), [sorted(f) for d, _, f in os.walk('.') if d == './sub'],",
        "  [e.name for e in sorted(os.scandir('sub'), key=lambda e: e.name) if e.is_symlink()],",
        "  [kind('sub/' + n) for n in ('away', 'broken', 'out/secret.txt', 'whole', 'b.txt')], os.readlink('sub/broken')]))",
        "os.remove('sub/away')",
      ].join("\n"),
    );
    expect([snake.stderr.text, JSON.parse(snake.stdout.text)]).toEqual([
      "",
      [
        names,
        [names],
        ["away", "broken", "out", "whole"],
        ["FileNotFoundError", "FileNotFoundError", "FileNotFoundError", "one\n", "two\n"],
        "nothing",
      ],
    ]);
    expect(snake.changes).toEqual([{ kind: "delete", path: "sub/away" }]);
    const shell = await bash(
      "ls sub; find sub -name '*'; cat sub/away sub/broken; [ -e sub/out ] && echo yes; rm sub/out",
    );
    expect(shell.stdout.text.split("\n")).toEqual([
      ...names,
      "sub",
      ...names.map((name) => `sub/${name}`),
      "",
    ]);
    expect(shell.changes).toEqual([{ kind: "delete", path: "sub/out" }]);
    expect(readdirSync(place.outside)).toEqual(["secret.txt"]);
  });

  it("S3.RUN fails writes to guarded files at once, and continues", async () => {
    symlinkSync(".git", join(place.root, "sub/git"));
    for (const path of [".git/hooks/x", ".git/config", ".env", "sub/../.env", "inside/../.git/x"]) {
      const shell = await bash(`echo first; echo x > ${path} || echo refused; echo x >> ${path}; echo y > y`);
      expect([path, shell.stdout.text, shell.changes.map((change) => change.path)]).toEqual([
        path,
        "first\nrefused\n",
        ["y"],
      ]);
      expect(shell.stderr.text).toContain(`${path}: cannot open`);
    }
    const others = await bash(
      "for c in 'mkdir -p .git/hooks' 'touch .env' 'cp a.txt .git/x' 'mv a.txt .env' 'ln -s a.txt .git/l' 'ln a.txt .git/l'; do $c && echo $c; done; cd sub; ln -s ../.git g; echo x > g/x || echo no",
    );
    expect([others.stdout.text, others.changes]).toEqual([
      "no\n",
      [{ kind: "symlink", path: "sub/g", target: "../.git" }],
    ]);
    const snake = await python(
      "import os\nfor act in (lambda: open('.git/hooks/x', 'w'), lambda: open('.env', 'a'), lambda: os.makedirs('.git/hooks'), lambda: os.rename('a.txt', '.git/x')):\n  try: print(act())\n  except PermissionError: print('refused')\nopen('y', 'w').write('y')",
    );
    expect([snake.stdout.text, snake.changes.map(({ path }) => path)]).toEqual([
      "refused\n".repeat(4),
      ["y"],
    ]);
  });

  it("S3.RUN reports guarded files inside a changed folder", async () => {
    const { changes, warnings, isPartial } = await bash(
      "mkdir -p q/.git; mv a.txt q/.git/config; cp -r q/. .; rm -r q",
    );
    expect([changes, warnings, isPartial]).toEqual([
      [{ kind: "delete", path: "a.txt" }],
      [".git was left as it is in the workspace: code can neither see nor change it"],
      true,
    ]);
  });

  it("does not allow hooks to be planted or changed", async () => {
    const { changes, warnings } = await bash(
      "mkdir -p .git/hooks; echo x > .git/hooks/pre-commit; echo x > .env.local; echo y > y",
    );
    expect(changes.map(({ path }) => path)).toEqual(["y"]);
    expect(warnings.join("\n")).toContain(".env.local was left as it is");
    expect(readdirSync(join(place.root, ".git/hooks"))).toEqual(["sample"]);
  });

  it("S3.RUN has no network and starts no programs", async () => {
    let hits = 0;
    const server = createServer(() => {
      hits += 1;
    }).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as { port: number };
    expect(
      (await python(`import socket\nsocket.create_connection(("127.0.0.1", ${port}), 1)`)).limitHit,
    ).toBe("network");
    expect((await bash(`curl http://127.0.0.1:${port}/`)).limitHit).toBe("network");
    expect((await python("import subprocess\nsubprocess.run(['ls'])")).limitHit).toBe("pids");
    expect(hits).toBe(0);
    server.close();
  });

  it("D32 is limited in memory, processor time, processes and files, and the next run works", async () => {
    expect((await bash("f() { f | f & }; f; sleep 1", {}, small)).limitHit).toBe("pids");
    expect((await bash("x=a; while true; do x=$x$x; done", {}, small)).limitHit).toBe("memory");
    expect((await python("while True: pass", {}, small)).limitHit).toBe("cpu");
    expect(
      (
        await bash(
          "x=$(printf '%01000000d' 1); i=0; while printf %s \"$x\" > f$i; do i=$((i+1)); done",
          {},
          { ...small, cpuSeconds: 20 },
        )
      ).limitHit,
    ).toBe("files");
    expect((await bash("echo fine", {}, small)).stdout.text).toBe("fine\n");
  });

  it("S3.RUN stops at the time limit and on cancellation, also in a blocking loop", async () => {
    const late = await bash("echo x > a.txt; while true; do :; done", { timeoutMs: 1_500 });
    expect(late).toMatchObject({ timedOut: true, limitHit: "time", changes: [] });
    const cancelling = new AbortController();
    setTimeout(() => cancelling.abort(new Error("enough")), 500);
    await expect(run({ argv: ["sleep", "30"] }, sandboxLimits(), cancelling.signal)).rejects.toThrow(
      "enough",
    );
    expect(readFileSync(join(place.root, "a.txt"), "utf8")).toBe("one\n");
  });

  it("refuses a workspace that is too large to copy", async () => {
    writeFileSync(join(place.root, "huge"), "");
    truncateSync(join(place.root, "huge"), MAX_COPIED.bytes + 1);
    await expect(bash("true")).rejects.toMatchObject({ code: "LIMIT_EXCEEDED" });
  });

  it("R22 is unavailable if just-bash is not installed", async () => {
    const nowhere = mkdtempSync(join(tmpdir(), "haft-bare-"));
    await expect(findPortable(nowhere)).rejects.toMatchObject({
      code: "SANDBOX_UNAVAILABLE",
      hint: expect.stringContaining("npm install just-bash"),
    });
    expect(existsSync((await findPortable()).entry)).toBe(true);
    // As from a bundle: this package is beside it, and its peer beside that.
    mkdirSync(join(nowhere, "node_modules/@haft"), { recursive: true });
    symlinkSync(
      fileURLToPath(new URL("../..", import.meta.url)),
      join(nowhere, "node_modules/@haft/runtime-node"),
    );
    expect((await findPortable(nowhere)).version).toMatch(/^3\./);
  });
});
