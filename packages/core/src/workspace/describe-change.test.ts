import { MemoryWorkspace } from "@haft/testing";
import { describe, expect, it } from "vitest";
import type { Workspace } from "../index.js";
import { describeChange, OverlayWorkspace, Pace } from "../workspace.js";
import { describeInTurns } from "./describe-change.js";

async function described(work: (workspace: Workspace) => Promise<unknown>) {
  const store = new MemoryWorkspace({
    "a.txt": "one\ntwo\n",
    "b.txt": "b\n",
    "raw.bin": Uint8Array.of(0, 1, 2),
    "d/x.txt": "x",
    "d/y.txt": "y",
    link: { link: "a.txt" },
    "run.sh": { content: "#!", mode: 0o644 },
  });
  const overlay = new OverlayWorkspace(store);
  await work(overlay);
  return overlay.changes.map(describeChange);
}

describe("the description of a change is complete", () => {
  it("a modified text: its diff and both hashes", async () => {
    const [change] = await described((ws) => ws.writeText("a.txt", "one\n2\n"));
    expect(change).toMatchObject({
      kind: "modify",
      path: "a.txt",
      diff: expect.stringContaining("-two\n+2\n"),
    });
    expect(change?.beforeHash).toMatch(/^[0-9a-f]{16}$/);
    expect(change?.afterHash).not.toBe(change?.beforeHash);
  });

  it("does not cut a long diff", async () => {
    const text = Array.from({ length: 1_000 }, (_, index) => `line ${index}\n`).join("");
    const [change] = await described((ws) => ws.createText("long.txt", text));
    expect(change?.diff?.split("\n").filter((line) => line.startsWith("+line"))).toHaveLength(1_000);
  });

  it("binary content: the fact and the size", async () => {
    const [change] = await described((ws) => ws.writeBytes("raw.bin", Uint8Array.of(0, 1, 2, 3)));
    expect(change?.diff).toBe("Binary file raw.bin: 3 bytes -> 4 bytes\n");
    const [made] = await described((ws) => ws.createBytes("new.bin", Uint8Array.of(0, 159, 146, 150)));
    expect(made?.diff).toBe("Binary file new.bin: 0 bytes -> 4 bytes\n");
  });

  it("a mode and an encoding, even if the text stays the same", async () => {
    const [mode] = await described((ws) => ws.writeText("run.sh", "#!", { mode: 0o755 }));
    expect(mode?.diff).toBe("mode 644 -> 755\n");
    const [bom] = await described((ws) =>
      ws.writeText("a.txt", "one\ntwo\n", { format: { encoding: "utf-8", bom: true } }),
    );
    expect(bom?.diff).toBe("encoding utf-8 -> utf-8 with byte order mark\n");
    const [wide] = await described((ws) =>
      ws.createText("w.txt", "w\n", { format: { encoding: "utf-16le", bom: true } }),
    );
    expect(wide?.diff).toContain("encoding utf-16le with byte order mark");
  });

  it("links and directories, which have no content", async () => {
    const [made, directory] = await described(async (ws) => {
      await ws.createLink("new-link", "b.txt");
      await ws.createDirectory("new-dir");
    });
    expect(made?.diff).toBe("link -> b.txt\n");
    expect(directory).toEqual({ kind: "create", path: "new-dir" });
    const [gone] = await described((ws) => ws.remove("link"));
    expect(gone?.diff).toBe("link -> a.txt\n");
    const [tree] = await described((ws) => ws.remove("d", { recursive: true }));
    expect(tree?.diff).toBe("directory with 2 entries:\nx.txt\ny.txt\n");
  });

  it("a move: its source, and the entry it overwrites", async () => {
    const [plain] = await described((ws) => ws.move("a.txt", "c.txt"));
    expect(plain).toMatchObject({ kind: "move", from: "a.txt", path: "c.txt" });
    expect(plain?.diff).toBeUndefined();
    expect(plain?.afterHash).toBe(plain?.beforeHash);
    const [over] = await described((ws) => ws.move("a.txt", "b.txt", { overwrite: true }));
    expect(over?.diff).toContain("-b\n+one\n+two\n");
    const [onto] = await described((ws) => ws.move("d", "link", { overwrite: true }));
    expect(onto?.diff).toBe("overwrites the symlink link\n");
  });

  it("describes the same change once", async () => {
    const overlay = new OverlayWorkspace(new MemoryWorkspace());
    await overlay.createText("a", "a");
    const [change] = overlay.changes;
    if (change === undefined) throw new Error("no change");
    expect(describeChange(change)).toBe(describeChange(change));
  });
});

describe("a rehearsal", () => {
  it("refuses a character that the file's encoding does not have", async () => {
    const latin = new MemoryWorkspace({
      "l.txt": Uint8Array.from(Buffer.from("é à ü caf\u00e9 cr\u00e8me\n", "latin1")),
    });
    const overlay = new OverlayWorkspace(latin);
    const { format } = await overlay.readTextFile("l.txt");
    expect(format.encoding).not.toBe("utf-8");
    await expect(overlay.writeText("l.txt", "漢")).rejects.toMatchObject({ code: "ENCODING_ERROR" });
    await overlay.writeText("l.txt", "漢", { format: { encoding: "utf-8", bom: false } });
    expect(await overlay.readText("l.txt")).toBe("漢");
  });

  it("may replace a binary file by text; a new file gets the default mode", async () => {
    const overlay = new OverlayWorkspace(new MemoryWorkspace({ "b.bin": Uint8Array.of(0, 1) }));
    await overlay.writeText("b.bin", "text");
    expect(await overlay.readText("b.bin")).toBe("text");
    await overlay.createText("new.txt", "1");
    await overlay.writeText("new.txt", "2");
    const made = overlay.changes.find(({ path }) => path === "new.txt");
    expect(made).toMatchObject({ kind: "create", after: { type: "file" } });
    expect(made?.kind === "create" && "mode" in made.after).toBe(false);
  });

  it("stops walking on cancellation, and enters ignored folders only on request", async () => {
    const store = new MemoryWorkspace({ "ignored/x.txt": "x", "a.txt": "a" });
    const list = store.list.bind(store);
    store.list = async (path) =>
      (await list(path)).map((entry) => (entry.name === "ignored" ? { ...entry, ignored: true } : entry));
    const overlay = new OverlayWorkspace(store);
    await overlay.createText("new.txt", "n");
    const walked = async (options: object) => {
      const paths: string[] = [];
      for await (const { path } of overlay.walk(".", options)) paths.push(path);
      return paths;
    };
    expect(await walked({})).toEqual(["a.txt", "ignored", "new.txt"]);
    expect(await walked({ includeIgnored: true })).toEqual(["a.txt", "ignored", "ignored/x.txt", "new.txt"]);
    await expect(walked({ signal: AbortSignal.abort(new Error("stop")) })).rejects.toThrow("stop");
  });

  it("checks everything below a directory it removes", async () => {
    const guards = {
      sensitive: (path: string) => path.endsWith(".env"),
      protected: (path: string) => path.includes("hooks/"),
    };
    const overlay = new OverlayWorkspace(
      new MemoryWorkspace({ "p/.env": "S", "q/hooks/x": "x", "r/a": "a" }, guards),
    );
    await expect(overlay.remove("p", { recursive: true })).rejects.toMatchObject({ code: "SENSITIVE_FILE" });
    await overlay.move("q", "s");
    await overlay.remove("r", { recursive: true });
    expect(overlay.changes.map((change) => change.protected)).toEqual([true, undefined]);
  });
});

describe("FR8 describing a change of a million lines", () => {
  it("lets other work run between small parts of it, and returns the same description", async () => {
    const lines = 500_000;
    const overlay = new OverlayWorkspace(new MemoryWorkspace({ "a.txt": "a\n".repeat(lines) }));
    await overlay.writeText("a.txt", "b\n".repeat(lines));
    const pace = new CountingPace();
    await describeInTurns(overlay.changes, pace);
    expect(pace.breaths).toBeGreaterThan(4 * ((2 * lines) / 20_000));
    const [change] = overlay.changes.map(describeChange);
    expect(change?.diff?.slice(0, 50)).toBe("--- a/a.txt\n+++ b/a.txt\n@@ -1,500000 +1,500000 @@\n");
  });
});

class CountingPace extends Pace {
  breaths = 0;

  override breathe(): Promise<void> | undefined {
    this.breaths += 1;
    return super.breathe();
  }
}
