import { existsSync, readdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { ToolError } from "@haft/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type TemporaryWorkspace, temporaryWorkspace } from "../../test-support/temporary-workspace.js";
import { openNodeWorkspace } from "./open-node-workspace.js";

for (const portable of [false, true]) {
  describe(portable ? "S2.NFR2 the jail without /proc" : "S2.NFR2 the jail by descriptors", () => {
    let temp: TemporaryWorkspace;
    beforeEach(async () => {
      temp = await temporaryWorkspace({ "src/a.ts": "inside", "v1..v2.diff": "range" }, { portable });
    });
    afterEach(() => temp.dispose());

    const refused = async (path: string, code = "INVALID_PATH") => {
      const error = await temp.workspace.readText(path).then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      expect(error).toBeInstanceOf(ToolError);
      expect(error).toMatchObject({ code });
      return error as ToolError;
    };

    it("S4.001.c refuses a path outside before reading anything, and the message names only that path", async () => {
      for (const path of ["/etc/passwd", `${temp.root}-evil/secret.txt`, "/", `${temp.outside}/secret.txt`]) {
        const error = await refused(path);
        expect(error.message).toBe(`Access denied: ${path} is outside the workspace`);
      }
    });

    it("S4.005.a a .. segment is rejected, with the equivalent path if it stays inside", async () => {
      expect((await refused("src/../src/a.ts")).hint).toBe('Without "..": src/a.ts');
      expect((await refused("src/..")).hint).toBe('Without "..": .');
      expect((await refused(`${temp.root}/src/../v1..v2.diff`)).hint).toBe('Without "..": v1..v2.diff');
      expect((await refused("../outside/secret.txt")).hint).toBeUndefined();
      expect((await refused(`${temp.root}/../outside/secret.txt`)).hint).toBeUndefined();
    });

    it("names that merely contain dots, percent signs or tildes are ordinary names", async () => {
      for (const name of [
        "..foo",
        "a..b",
        "...",
        "%2e%2e",
        "~",
        "file:x",
        "C:\\x",
        "\\\\?\\C:\\",
        "a\\..\\b",
      ]) {
        temp.put({ [name]: name });
        expect(await temp.workspace.readText(name)).toBe(name);
      }
      expect(await temp.workspace.readText("v1..v2.diff")).toBe("range");
    });

    it("rejects malformed text", async () => {
      const bad = [
        "src\0",
        "a\nb",
        "a\x7f",
        "\ud800",
        "x".repeat(256),
        `${"d/".repeat(2100)}x`,
        "é".repeat(128),
      ];
      for (const path of bad) await refused(path);
      expect((await refused("src\0")).message).toContain("src\\x00");
      await expect(temp.workspace.readText(7 as unknown as string)).rejects.toMatchObject({
        code: "INVALID_PATH",
      });
    });

    it("accepts several spellings of the root, also through a link to it", async () => {
      expect((await temp.workspace.stat("")).type).toBe("directory");
      expect((await temp.workspace.stat("./")).path).toBe("");
      const link = join(temp.base, "link-to-ws");
      symlinkSync(temp.root, link);
      const linked = await openNodeWorkspace(link, { stateDirectory: temp.stateDirectory, portable });
      expect(linked.root).toBe(temp.root);
      expect(await linked.readText(`${link}/src/a.ts`)).toBe("inside");
      expect(await linked.readText(`${temp.root}//src/./a.ts`)).toBe("inside");
      expect(linked.absolute("src/a.ts")).toBe(`${temp.root}/src/a.ts`);
      expect(linked.absolute(".")).toBe(temp.root);
      linked.close();
    });

    it("D9 follows links only inside: chains, absolute ones, as parents, dangling ones", async () => {
      temp.put({
        inside: { link: "src/a.ts" },
        absolute: { link: `${temp.root}/src` },
        "deep/up": { link: "../src/./a.ts" },
        out: { link: "../outside/secret.txt" },
        absolutely: { link: `${temp.outside}/secret.txt` },
        dir: { link: temp.outside },
        chain: { link: "chain2" },
        chain2: { link: "out" },
        circle: { link: "circle" },
        evil: { link: `${temp.root}-evil/secret.txt` },
        proc: { link: "/proc/self/root/etc/passwd" },
      });
      expect(await temp.workspace.readText("inside")).toBe("inside");
      expect(await temp.workspace.readText("absolute/a.ts")).toBe("inside");
      expect(await temp.workspace.readText("deep/up")).toBe("inside");
      for (const path of ["out", "absolutely", "dir/secret.txt", "chain", "circle", "evil", "proc"])
        expect((await refused(path)).message).not.toContain("secret.txt is");
      for (const path of ["dir", "dir/new/file"])
        await expect(temp.workspace.list(path)).rejects.toMatchObject({ code: "INVALID_PATH" });
    });

    it("pe-s-04 refuses writing below a link that leads out, or through a dangling link", async () => {
      temp.put({
        cache: { link: temp.outside },
        dangling: { link: "not-there.txt" },
        lost: { link: "gone/../x" },
      });
      for (const path of ["cache/deep/new.txt", "dangling", "dangling/below", "lost"])
        await expect(temp.workspace.locate(path, { purpose: "write" })).rejects.toMatchObject({
          code: "INVALID_PATH",
        });
      expect(readdirSync(temp.outside)).toEqual(["secret.txt"]);
      await refused("dangling", "FILE_NOT_FOUND");
      expect(await temp.workspace.locate("dangling", { purpose: "write", follow: "entry" })).toMatchObject({
        path: "dangling",
      });
    });

    it("pe-s-05 names pipes, sockets and devices without opening them", async () => {
      temp.put({ pipe: { fifo: true }, null: { link: "/dev/null" } });
      const server = createServer().listen(join(temp.root, "socket"));
      await new Promise((resolve) => server.once("listening", resolve));
      await refused("pipe", "NOT_A_FILE");
      await refused("socket", "NOT_A_FILE");
      await refused("null");
      expect(await temp.workspace.stat("pipe")).toMatchObject({ type: "other" });
      await expect(temp.workspace.snapshot("pipe")).resolves.toMatchObject({ type: "other" });
      await new Promise((resolve) => server.close(resolve));
    });

    it("a file in place of a directory is reported", async () => {
      await refused("src/a.ts/below", "NOT_A_DIRECTORY");
      expect(await temp.workspace.exists("src/a.ts/below")).toBe(false);
      expect(await temp.workspace.entry("src/a.ts/below")).toBeUndefined();
    });

    it("lists links with their targets and marks those that lead out", async () => {
      temp.put({ out: { link: "/etc" }, in: { link: "src" }, gone: { link: "nowhere" } });
      const entries = await temp.workspace.list(".");
      const links = entries.filter(({ type }) => type === "symlink");
      expect(links.map(({ name, target, outside }) => [name, target, outside ?? false])).toEqual([
        ["gone", "nowhere", false],
        ["in", "src", false],
        ["out", "/etc", true],
      ]);
    });
  });
}

describe("S2.NFR2 the jail", () => {
  it("a root that is missing or not a directory is reported", async () => {
    await expect(openNodeWorkspace("/nowhere/at/all")).rejects.toMatchObject({ code: "FILE_NOT_FOUND" });
    await expect(openNodeWorkspace("/etc/passwd")).rejects.toMatchObject({ code: "NOT_A_DIRECTORY" });
    await expect(openNodeWorkspace("/etc/passwd", { portable: true })).rejects.toMatchObject({
      code: "NOT_A_DIRECTORY",
    });
  });

  it("reads nothing from a bind mount of the system's own files", async () => {
    const workspace = await openNodeWorkspace("/", { stateDirectory: "/nowhere" });
    await expect(workspace.readText("proc/version")).rejects.toMatchObject({ code: "INVALID_PATH" });
    await expect(workspace.list("sys")).rejects.toMatchObject({ code: "INVALID_PATH" });
    expect(workspace.absolute("etc/hosts")).toBe("/etc/hosts");
    expect(await workspace.exists("etc/passwd")).toBe(true);
    workspace.close();
  });

  it("does not read a directory that is moved out while it is open", async () => {
    const temp = await temporaryWorkspace({ "dir/a.txt": "a", "stay/b.txt": "b" });
    const stream = temp.workspace.walk("dir");
    renameSync(join(temp.root, "dir"), join(temp.outside, "dir"));
    symlinkSync(join(temp.outside, "dir"), join(temp.root, "dir"));
    await expect(stream.next()).rejects.toMatchObject({ code: "INVALID_PATH" });
    expect(existsSync(join(temp.outside, "dir/a.txt"))).toBe(true);
    temp.dispose();
  });

  it("keeps working if the root itself is renamed", async () => {
    const temp = await temporaryWorkspace({ "src/a.txt": "a" });
    renameSync(temp.root, join(temp.base, "renamed"));
    writeFileSync(join(temp.base, "renamed/src/a.txt"), "b");
    expect(await temp.workspace.readText("src/a.txt")).toBe("b");
    temp.dispose();
  });
});
