// A pack author's test file for node:test, one line per suite. Three tools are deliberately broken.
import { defineTool, s } from "@haft/core";
import { MemoryWorkspace, memoryApprovalStore, memoryGrantStore } from "@haft/core/memory";
import {
  describeApprovalContract,
  describeByteFidelity,
  describeGrantContract,
  describeHostileArguments,
  describeHostilePaths,
  describeToolContract,
  describeWorkspaceContract,
} from "../src/index.js";
import { ReplaceWord } from "./replace-word.js";

const files = { "a.txt": "one\ntwo\n" };
const args = { path: "a.txt", from: "two", to: "zwei" };
const fidelity = { path: "a.txt", before: "one\ntwo\n", after: "one\nzwei\n" };

describeToolContract(ReplaceWord, { files, args });
describeByteFidelity(ReplaceWord, { ...fidelity, args });
describeHostilePaths(ReplaceWord, { files, args });
describeHostileArguments(ReplaceWord, { files, args });
describeWorkspaceContract("memory", async () => ({ store: new MemoryWorkspace() }));
describeApprovalContract("memory", async () => ({
  store: memoryApprovalStore(),
  [Symbol.asyncDispose]: async () => {},
}));
describeGrantContract("memory", async () => ({
  store: memoryGrantStore(),
  [Symbol.asyncDispose]: async () => {},
}));

const ForgetsMarks = defineTool({
  name: "forgets_marks",
  summary: "Replace a word, and lose the byte order mark.",
  permissions: ["ReadFiles", "WriteFiles"],
  input: s.object({ path: s.path("File to change") }),
  run: async ({ path }, { workspace }) => {
    const { text, format } = await workspace.readTextFile(path);
    const changed = text.replace("two", "zwei");
    if (format.encoding !== "utf-8") await workspace.writeText(path, changed);
    else await workspace.writeBytes(path, new TextEncoder().encode(changed));
  },
});
describeByteFidelity(ForgetsMarks, { ...fidelity, args: { path: "a.txt" } });

const Surprises = defineTool({
  name: "surprises",
  summary: "Throw what it does not declare.",
  input: s.object({ path: s.string("Any text") }),
  run: async ({ path }) => {
    if (path === "1e3") throw new RangeError("not declared");
    return path.length;
  },
});
describeHostileArguments(Surprises, { args: { path: "a" } });

const TakesAnything = defineTool({
  name: "takes_anything",
  summary: "Accept misspelled parameters.",
  input: { type: "object", properties: { path: { type: "string", description: "Any text" } } } as const,
  run: async ({ path }) => path ?? "",
});
describeToolContract(TakesAnything, { args: { path: "a" } });
