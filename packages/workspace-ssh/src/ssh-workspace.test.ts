import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { createRuntime, ToolError } from "@haft/core";
import { OverlayWorkspace } from "@haft/core/workspace";
import { ApplyPatch, Edit } from "@haft/tool-edit";
import { DeleteFile, ListDirectory, MoveFile, ReadFile, WriteFile } from "@haft/tool-fs";
import { Glob, Grep, Search } from "@haft/tool-search";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LoopbackSshd, noSshd, startSshd } from "../test-support/loopback-sshd.js";
import { openSshWorkspace, type SshWorkspaceOptions } from "./open-ssh-workspace.js";
import type { SshWorkspace } from "./ssh-workspace.js";

const missing = noSshd();

describe.skipIf(missing !== undefined)(
  `a workspace over SSH${missing === undefined ? "" : `: ${missing}`}`,
  () => {
    let sshd: LoopbackSshd;
    beforeAll(async () => {
      sshd = await startSshd();
    }, 60_000);
    afterAll(() => sshd?.stop());

    const open = (path: string, options: Partial<SshWorkspaceOptions> = {}) =>
      openSshWorkspace({ ...sshd.login, knownHosts: sshd.knownHosts, path, ...options });

    async function within(
      files: Readonly<Record<string, string>>,
      work: (opened: { root: string; store: SshWorkspace }) => Promise<void>,
    ): Promise<void> {
      const root = sshd.folder();
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(join(root, path, ".."), { recursive: true });
        writeFileSync(join(root, path), text);
      }
      const store = await open(root);
      try {
        await work({ root, store });
      } finally {
        await store.close();
      }
    }

    const runtimeOver = (store: SshWorkspace) =>
      createRuntime({
        workspace: store,
        role: "editor",
        tools: [
          ReadFile,
          WriteFile,
          ListDirectory,
          MoveFile,
          DeleteFile,
          Edit,
          ApplyPatch,
          Grep,
          Glob,
          Search,
        ],
        approver: async () => ({ approved: true }),
      });

    describe("tools", () => {
      it("FP6 an edit costs at most 3 round trips, approval included", () =>
        within({ "src/deep/a.ts": "const a = 1;\nconst b = a;\n" }, async ({ root, store }) => {
          const runtime = await runtimeOver(store);
          const path = "src/deep/a.ts";
          await runtime.call(ReadFile, { path });
          const before = store.roundTrips;
          const result = await runtime.call(Edit, { path, old_string: "a = 1", new_string: "a = 2" });
          expect(result.ok).toBe(true);
          expect(store.roundTrips - before).toBeLessThanOrEqual(3);
          expect(readFileSync(join(root, path), "utf8")).toBe("const a = 2;\nconst b = a;\n");
          await runtime.undo();
          expect(readFileSync(join(root, path), "utf8")).toBe("const a = 1;\nconst b = a;\n");
          await runtime.dispose();
        }));

      it("reads, writes, moves, deletes, patches, lists and undoes", () =>
        within({ "a.txt": "one\r\ntwo\r\n", "d/b.txt": "b\n" }, async ({ root, store }) => {
          const runtime = await runtimeOver(store);
          for (const path of ["a.txt", "d/b.txt"]) await runtime.call(ReadFile, { path });
          const results = [
            await runtime.call(WriteFile, { path: "new/c.txt", content: "c\n" }),
            await runtime.call(MoveFile, { from: "d/b.txt", to: "e/b.txt" }),
            await runtime.call("apply_patch", {
              patch: "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\r\n-two\r\n+2\r\n",
            }),
            await runtime.call(DeleteFile, { path: "new", recursive: true }),
          ];
          expect(results.map((result) => (result.ok ? true : result.error))).toEqual([
            true,
            true,
            true,
            true,
          ]);
          expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("one\r\n2\r\n");
          expect(existsSync(join(root, "new"))).toBe(false);
          for (let undone = 0; undone < 4; undone += 1) await runtime.undo();
          expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("one\r\ntwo\r\n");
          expect(readFileSync(join(root, "d/b.txt"), "utf8")).toBe("b\n");
          expect(readdirSync(root).filter((name) => name.startsWith("."))).toEqual([]);
          await runtime.dispose();
        }));

      it("grep and glob honour ignore files, and a missing file names the nearest", () =>
        within(
          {
            ".gitignore": "out/\n*.log\n",
            "src/a.ts": "needle\n",
            "out/b.ts": "needle\n",
            "c.log": "needle\n",
          },
          async ({ store }) => {
            const runtime = await runtimeOver(store);
            const found = await runtime.call(Grep, { pattern: "needle" });
            expect(found.ok && found.value.totalMatches).toBe(1);
            const named = await runtime.call(Glob, { pattern: "**/*.ts" });
            expect(named.ok && named.value.files.map(({ path }) => path)).toEqual(["src/a.ts"]);
            const walked: string[] = [];
            for await (const { path } of store.walk(".")) walked.push(path);
            expect(walked).toEqual(["out", "src", "src/a.ts"]);
            const wrong = await runtime.call(ReadFile, { path: "src/aa.ts" });
            expect(!wrong.ok && wrong.error.next).toEqual({ tool: "read_file", args: { path: "src/a.ts" } });
            await runtime.dispose();
          },
        ));
    });

    describe("security", () => {
      it("refuses sensitive files, also through a link, and links that lead out", () =>
        within({ ".env": "TOKEN=1\n" }, async ({ root, store }) => {
          symlinkSync(".env", join(root, "innocent.txt"));
          symlinkSync("/etc/passwd", join(root, "passwd"));
          symlinkSync("..", join(root, "up"));
          await expect(store.readText(".env")).rejects.toMatchObject({ code: "SENSITIVE_FILE" });
          await expect(store.readText("innocent.txt")).rejects.toMatchObject({ code: "SENSITIVE_FILE" });
          await expect(store.readText("passwd")).rejects.toMatchObject({ code: "INVALID_PATH" });
          await expect(store.list("up")).rejects.toMatchObject({ code: "INVALID_PATH" });
          expect((await store.list(".")).find(({ name }) => name === "passwd")?.outside).toBe(true);
        }));

      it("never reads or writes outside while folders are swapped for links", () =>
        within({ "d/a.txt": "inside\n" }, async ({ root, store }) => {
          const outside = sshd.folder();
          writeFileSync(join(outside, "a.txt"), "outside\n");
          let isDone = false;
          const swapping = (async () => {
            while (!isDone) {
              renameSync(join(root, "d"), join(root, "real"));
              symlinkSync(outside, join(root, "d"));
              await new Promise((resolve) => setImmediate(resolve));
              rmSync(join(root, "d"));
              renameSync(join(root, "real"), join(root, "d"));
              await new Promise((resolve) => setImmediate(resolve));
            }
          })();
          for (let round = 0; round < 100; round += 1) {
            const text = await store.readText("d/a.txt").catch((thrown) => thrown);
            if (typeof text === "string") expect(text).toMatch(/^inside/);
            const overlay = new OverlayWorkspace(store);
            const wrote = overlay.writeText("d/a.txt", `inside ${round}\n`, { createDirs: false });
            await wrote.then(() => store.commit(overlay.changes, CALL)).catch(() => undefined);
          }
          isDone = true;
          await swapping;
          expect(readFileSync(join(outside, "a.txt"), "utf8")).toBe("outside\n");
          expect(readdirSync(outside)).toEqual(["a.txt"]);
        }));

      it("accepts no host with an unknown key", async () => {
        const empty = join(sshd.folder(), "known_hosts");
        await expect(open(sshd.folder(), { knownHosts: empty })).rejects.toMatchObject({
          code: "PERMISSION_DENIED",
          hint: expect.stringContaining("ssh -p"),
        });
        const byFingerprint = await open(sshd.folder(), { hostKeys: [sshd.fingerprint] });
        expect(await byFingerprint.exists("x")).toBe(false);
        await byFingerprint.close();
      });

      it("names the missing program on the other machine", async () => {
        await expect(open(join(sshd.folder(), "nowhere"))).rejects.toMatchObject({
          name: "ToolError",
          message: expect.stringContaining("nowhere"),
        });
        // "false" behaves like a Python that ends without output.
        for (const python of ["python-that-is-not-there", "false"])
          await expect(open(sshd.folder(), { python })).rejects.toMatchObject({
            name: "ToolError",
            code: "IO_ERROR",
            message: expect.stringMatching(/did not start/),
            hint: expect.stringContaining("Python 3.6 or newer"),
          });
      });

      it("lists names that are not text, and opens none of them", () =>
        within({}, async ({ root, store }) => {
          execFileSync("sh", ["-c", `cd "${root}" && printf x > "$(printf 'bad\\377name')"`]);
          const [entry] = await store.list(".");
          expect(entry).toMatchObject({ name: "bad\\xffname", type: "other", unnamed: true });
        }));
    });

    // Each round logs in and starts a program again.
    describe("a broken connection", { timeout: 120_000 }, () => {
      it("is reopened by the next call", () =>
        within({ "a.txt": "a\n" }, async ({ store }) => {
          sshd.dropConnections();
          expect(await store.readText("a.txt")).toBe("a\n");
          const streamed: number[] = [];
          for await (const chunk of store.stream("a.txt")) streamed.push(...chunk);
          expect(Buffer.from(streamed).toString()).toBe("a\n");
        }));

      it("leaves the old or the new state, never half, and the caller is told which", async () => {
        for (let round = 0; round < ROUNDS; round += 1)
          await within({ "a.txt": "old\n", "b.txt": "old\n", "c.txt": "old\n" }, async ({ root, store }) => {
            const overlay = new OverlayWorkspace(store);
            for (const name of ["a.txt", "b.txt", "c.txt"])
              await overlay.writeText(name, "new\n".repeat(50_000));
            await overlay.createText("d/new.txt", "new\n");
            const commit = store.commit(overlay.changes, CALL).then(
              () => "applied",
              (thrown) => (ToolError.is(thrown) ? thrown.hint : thrown),
            );
            await new Promise((resolve) => setTimeout(resolve, round * 3));
            sshd.dropConnections();
            const outcome = await commit;
            const texts = ["a.txt", "b.txt", "c.txt"].map((name) =>
              readFileSync(join(root, name), "utf8").slice(0, 3),
            );
            const isNew = outcome === "applied";
            expect([outcome, texts]).toEqual([
              isNew ? "applied" : expect.stringContaining("Nothing was changed"),
              isNew ? ["new", "new", "new"] : ["old", "old", "old"],
            ]);
            expect(existsSync(join(root, "d/new.txt"))).toBe(isNew);
          });
      });

      it("and a killed remote program leave the old or the new state once the folder is opened again", async () => {
        for (let round = 0; round < ROUNDS; round += 1) {
          const root = sshd.folder();
          const names = Array.from({ length: 20 }, (_, index) => `f${index}.txt`);
          for (const name of names) writeFileSync(join(root, name), "old\n");
          const store = await open(root, { timeoutMs: 5_000 });
          const overlay = new OverlayWorkspace(store);
          for (const name of names) await overlay.writeText(name, "new\n");
          await overlay.move("f0.txt", "moved/f0.txt");
          await overlay.remove("f1.txt");
          const commit = store.commit(overlay.changes, CALL).catch(() => undefined);
          await new Promise((resolve) => setTimeout(resolve, round * 4));
          killPrograms(root);
          await commit;
          await store.close();
          const again = await open(root);
          const tree: string[] = [];
          for await (const { path, type } of again.walk(".", { includeHidden: true }))
            tree.push(type === "file" ? `${path}: ${await again.readText(path)}` : path);
          const old = names.map((name) => `${name}: old\n`).sort();
          const isNew = existsSync(join(root, "moved"));
          expect(tree.sort()).toEqual(isNew ? newTree(names) : old);
          expect(readdirSync(root).filter((name) => name.endsWith(".tmp"))).toEqual([]);
          await again.close();
        }
      });
    });
  },
);

const CALL = { callId: "call", tool: "test" };
const ROUNDS = Number(process.env.HAFT_KILL_ROUNDS ?? 6);

function newTree(names: readonly string[]): readonly string[] {
  const kept = names.filter((name) => name !== "f0.txt" && name !== "f1.txt").map((name) => `${name}: new\n`);
  return [...kept, "moved", "moved/f0.txt: new\n"].sort();
}

/** Kills the programs that hold a folder open. */
function killPrograms(root: string): void {
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      if (!readFileSync(`/proc/${pid}/comm`, "utf8").startsWith("python")) continue;
      const held = readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`));
      if (held.includes(root)) process.kill(Number(pid), "SIGKILL");
    } catch {
      // It has exited meanwhile.
    }
  }
}
