import { createTestRuntime, describeToolContract } from "@haft/testing";
import { describe, expect, it } from "vitest";
import { ReadFileTool } from "./read-file-tool.js";

describeToolContract(ReadFileTool, {
  files: { "a.txt": "one\ntwo\n", "dir/": null },
  args: { path: "a.txt" },
  failing: [{ path: "dir" }, { path: "missing" }, { path: "a.txt", offset: 9 }],
});

const read = async (files: Record<string, string | Uint8Array | null>, args: object) =>
  createTestRuntime({ files, tools: [ReadFileTool] }).call("read_file", args);

describe("read_file on text", () => {
  it("S2.READ.1 S2.READ.9 reads a whole file, numbered in the text and raw in the value", async () => {
    const result = await read({ "a.txt": "one\r\ntwo" }, { path: "a.txt" });
    expect(result).toMatchObject({ ok: true, value: { content: "one\r\ntwo", totalLines: 2, eol: "crlf" } });
    expect(result.text).toBe("1: one\n2: two\n(line endings crlf)");
  });
});
