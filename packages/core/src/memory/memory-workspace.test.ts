import { describeWorkspaceContract } from "@haft/testing";
import { describe, expect, it } from "vitest";
import { MemoryWorkspace } from "./memory-workspace.js";

describeWorkspaceContract("memory", async () => ({ store: new MemoryWorkspace() }));

describe("a memory workspace", () => {
  it("starts with the given files", async () => {
    const workspace = new MemoryWorkspace({
      "a.txt": "a",
      "b.bin": Uint8Array.of(0, 255),
      "empty/": null,
      link: { link: "a.txt" },
      "run.sh": { content: "#!", mode: 0o755 },
    });
    expect(workspace.dump()).toEqual({
      "a.txt": "644 a",
      "b.bin": "644 \0\xff",
      "empty/": "",
      link: "-> a.txt",
      "run.sh": "755 #!",
    });
  });

  it("protects the configured paths", async () => {
    const workspace = new MemoryWorkspace(
      { ".env": "SECRET", "hooks/pre": "#!", indirect: { link: ".env" } },
      { sensitive: (path) => path === ".env", protected: (path) => path.startsWith("hooks/") },
    );
    await expect(workspace.readText(".env")).rejects.toMatchObject({ code: "SENSITIVE_FILE" });
    await expect(workspace.readText("indirect")).rejects.toMatchObject({ code: "SENSITIVE_FILE" });
    expect(await workspace.locate("hooks/pre", { purpose: "write" })).toEqual({
      path: "hooks/pre",
      protected: true,
    });
    expect(await workspace.locate("hooks/pre")).toEqual({ path: "hooks/pre", protected: false });
  });

  it("marks a link that leads out, and does not follow it", async () => {
    const workspace = new MemoryWorkspace({ out: { link: "/etc/passwd" }, up: { link: "../x" } });
    expect(await workspace.entry("out")).toMatchObject({ outside: true });
    expect(await workspace.entry("up")).toMatchObject({ outside: true });
    await expect(workspace.readText("out")).rejects.toMatchObject({ code: "INVALID_PATH" });
    await expect(workspace.readText("up")).rejects.toMatchObject({ code: "INVALID_PATH" });
  });
});
