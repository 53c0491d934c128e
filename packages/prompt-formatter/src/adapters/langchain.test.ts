import { ToolMessage } from "@langchain/core/messages";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type AdapterWorkspace, adapterWorkspace, OVERWRITE } from "../fixtures/adapter-workspace.js";
import { toLangChainTools } from "./langchain.js";

let folder: AdapterWorkspace;

beforeEach(() => {
  folder = adapterWorkspace();
});
afterEach(() => folder.dispose());

function call(tools: ReturnType<typeof toLangChainTools>, name: string, args: Record<string, unknown>) {
  const tool = tools.find((one) => one.name === name);
  return tool?.invoke({ type: "tool_call", id: "call-1", name, args });
}

describe("S1.A3 the tools of a runtime in LangChain", () => {
  it("answer a tool call with a tool message whose artifact is the result", async () => {
    const message = await call(toLangChainTools(await folder.open()), "read_file", { path: "f.txt" });
    expect(message).toBeInstanceOf(ToolMessage);
    expect(message).toMatchObject({ tool_call_id: "call-1", status: "success", name: "read_file" });
    expect(message.content).toContain("old");
    expect(message.artifact).toMatchObject({ ok: true, value: { content: "old\n" } });
  });

  it("answer a direct call with their text", async () => {
    const tools = toLangChainTools(await folder.open());
    expect(await tools.find(({ name }) => name === "read_file")?.invoke({ path: "f.txt" })).toContain("old");
  });

  it("ask through the runtime's approver, and run what was approved", async () => {
    const shown: string[] = [];
    const approver = async ({ changes }: { changes: readonly { diff?: string }[] }) => {
      shown.push(changes[0]?.diff ?? "");
      return { approved: true };
    };
    const message = await call(toLangChainTools(await folder.open({ approver })), "write_file", OVERWRITE);
    expect(message).toMatchObject({ status: "success" });
    expect(shown).toEqual([expect.stringContaining("+new")]);
    expect(folder.read("f.txt")).toBe("new\n");
  });

  it("return a denial and a failure as an error that the model can read", async () => {
    const approver = async () => ({ approved: false, feedback: "leave it" });
    const tools = toLangChainTools(await folder.open({ approver }));
    expect(await call(tools, "write_file", OVERWRITE)).toMatchObject({
      status: "error",
      content: expect.stringContaining("leave it"),
      artifact: { error: { code: "APPROVAL_DENIED" } },
    });
    const other = toLangChainTools(await folder.open());
    expect(await call(other, "read_file", { path: "none" })).toMatchObject({
      status: "error",
      artifact: { error: { code: "FILE_NOT_FOUND" } },
    });
    expect(folder.read("f.txt")).toBe("old\n");
  });

  it("stop with the caller's signal", async () => {
    const tools = toLangChainTools(await folder.open());
    const controller = new AbortController();
    const waiting = tools
      .find(({ name }) => name === "write_file")
      ?.invoke(
        { type: "tool_call", id: "call-1", name: "write_file", args: OVERWRITE },
        { signal: controller.signal },
      );
    setTimeout(() => controller.abort(), 50);
    await expect(waiting).rejects.toThrow(/abort/i);
    expect(folder.read("f.txt")).toBe("old\n");
  });
});
