import { describe, expect, it } from "vitest";
import { readsFile, writesFile } from "../../test-support/file-tools.js";
import { runtimeFolder } from "../../test-support/runtime-folder.js";
import type { NodeRuntimeOptions } from "../node-runtime-options.js";

const { open } = runtimeFolder({}, { tools: [readsFile, writesFile] });
const role = (more: object) => ({ name: "own", permissions: ["ReadFiles"], ...more }) as const;

describe("a tool that a host names and that is not there", () => {
  it.each<[string, Partial<NodeRuntimeOptions>, RegExp]>([
    ["in a role", { role: role({ tools: ["read_file"] }) }, /The role own names the tool "read_file"/],
    [
      "in a rule of a role",
      { role: role({ rules: [{ effect: "deny", tool: "reads_fil" }] }) },
      /The role own names the tool "reads_fil"/,
    ],
    [
      "in a rule of the configuration",
      { rules: [{ effect: "deny", tool: "readsFile" }] },
      /A rule names the tool "readsFile"/,
    ],
    ["among the disabled", { disabledTools: ["reads_files"] }, /list of disabled tools names the tool/],
  ])("%s, misspelt, is an error that names the nearest", async (_where, options, message) => {
    await expect(open(options)).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringMatching(message),
      hint: "Did you mean reads_file?",
    });
  });

  it("may be added later, unless the host says that all are there", async () => {
    const later = { role: role({ tools: ["reads_file", "weather"] }) };
    await using runtime = await open(later);
    expect(runtime.tools().map(({ name }) => name)).toEqual(["reads_file"]);
    await expect(open({ ...later, isComplete: true })).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      hint: "The tools are reads_file, writes_file.",
    });
  });
});
