import { createTestRuntime } from "@haft/testing";
import { describe, expect, it } from "vitest";
import { type Connected, type ConnectOptions, connected } from "./fixtures/connect.js";
import { NOTE_TOOLS } from "./fixtures/note-tools.js";

/** Opens a runtime with one file, which names the root it was opened for. */
function recording(opened: (string | undefined)[]): ConnectOptions["open"] {
  return async ({ root, approver }) => {
    opened.push(root);
    return createTestRuntime({
      tools: NOTE_TOOLS,
      ...(approver && { approver }),
      files: { "a.txt": String(root) },
    });
  };
}

const read = async ({ client }: Connected) =>
  (await client.callTool({ name: "read_note", arguments: { path: "a.txt" } })).structuredContent;

describe("the client's roots", () => {
  it("the first folder is the workspace if no other was given", async () => {
    const opened: (string | undefined)[] = [];
    const connection = await connected({
      roots: ["file:///srv/with%20space", "file:///srv/b"],
      options: { useClientRoots: true },
      open: recording(opened) as never,
    });
    await connection.client.listTools();
    expect(await read(connection)).toEqual({ content: "/srv/with space" });
    expect(opened).toEqual(["/srv/with space"]);
  });

  it("are not requested if a workspace was given", async () => {
    const opened: (string | undefined)[] = [];
    const connection = await connected({ roots: ["file:///srv/a"], open: recording(opened) as never });
    expect(await read(connection)).toEqual({ content: "undefined" });
  });

  it.each<[string, readonly string[] | undefined]>([
    ["none are offered", undefined],
    ["there are none", []],
    ["they name no folder of this machine", ["file://elsewhere/x"]],
  ])("leave the default when %s", async (_name, roots) => {
    const opened: (string | undefined)[] = [];
    await read(
      await connected({
        ...(roots === undefined ? {} : { roots }),
        options: { useClientRoots: true },
        open: recording(opened) as never,
      }),
    );
    expect(opened).toEqual([undefined]);
  });

  it("unreadable roots stop the call instead of moving it to another folder", async () => {
    const opened: (string | undefined)[] = [];
    const connection = await connected({
      roots: ["https://example.com"],
      options: { useClientRoots: true },
      open: recording(opened) as never,
    });
    await expect(read(connection)).rejects.toThrow(/roots could not be read .*--workspace/s);
    expect(opened).toEqual([]);
  });

  it("can change: the next call uses the new one, and the tools are announced again", async () => {
    const opened: (string | undefined)[] = [];
    const roots = ["file:///srv/a"];
    const connection = await connected({
      roots,
      options: { useClientRoots: true },
      open: recording(opened) as never,
    });
    expect(await read(connection)).toEqual({ content: "/srv/a" });
    await connection.client.sendRootsListChanged();
    expect(await read(connection)).toEqual({ content: "/srv/a" });
    expect(opened).toEqual(["/srv/a"]);
    roots[0] = "file:///srv/b";
    await connection.client.sendRootsListChanged();
    expect(await read(connection)).toEqual({ content: "/srv/b" });
    expect(opened).toEqual(["/srv/a", "/srv/b"]);
    expect(connection.written.join()).toContain("notifications/tools/list_changed");
  });
});

describe("roots that cannot be opened", () => {
  it("leave the former runtime in place: it serves again when they change back, and is closed with the server", async () => {
    const runtimes = new Map<string | undefined, ReturnType<typeof createTestRuntime>>();
    const ended: (string | undefined)[] = [];
    const roots = ["file:///srv/a"];
    const connection = await connected({
      roots,
      options: { useClientRoots: true },
      open: (async ({ root }: { readonly root: string | undefined }) => {
        if (root === "/srv/broken") throw new Error("the folder is missing");
        const runtime = createTestRuntime({ tools: NOTE_TOOLS, files: { "a.txt": String(root) } });
        runtimes.set(root, runtime);
        return { ...runtime, dispose: async () => void ended.push(root) };
      }) as never,
    });
    expect(await read(connection)).toEqual({ content: "/srv/a" });
    roots[0] = "file:///srv/broken";
    await connection.client.sendRootsListChanged();
    await expect(read(connection)).rejects.toThrow("the folder is missing");
    await expect(read(connection)).rejects.toThrow("the folder is missing");
    roots[0] = "file:///srv/a";
    expect(await read(connection)).toEqual({ content: "/srv/a" });
    expect([runtimes.size, ended]).toEqual([1, []]);
    await connection.client.close();
    await connection.service.closed;
    expect(ended).toEqual(["/srv/a"]);
  });
});

describe("opening", () => {
  it("reports a failure and retries at the next call", async () => {
    let attempts = 0;
    const connection = await connected({
      open: async ({ approver }) => {
        attempts += 1;
        if (attempts === 1) throw new Error("the folder is missing");
        return createTestRuntime({
          tools: NOTE_TOOLS,
          ...(approver && { approver }),
          files: { "a.txt": "here" },
        });
      },
    });
    await expect(read(connection)).rejects.toThrow("the folder is missing");
    expect(await read(connection)).toEqual({ content: "here" });
  });

  it("is not needed for a given runtime, which its owner closes", async () => {
    const runtime = createTestRuntime({ tools: NOTE_TOOLS, files: { "a.txt": "mine" } });
    const connection = await connected({ open: runtime as never });
    expect(await read(connection)).toEqual({ content: "mine" });
    await connection.client.close();
    await connection.service.closed;
    expect(await runtime.call("read_note", { path: "a.txt" })).toMatchObject({ ok: true });
  });
});
