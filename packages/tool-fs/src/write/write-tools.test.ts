import { describeToolContract } from "@haft/testing";
import { AppendFileTool } from "./append-file-tool.js";
import { CreateFileTool } from "./create-file-tool.js";
import { UpdateFileTool } from "./update-file-tool.js";
import { WriteFileTool } from "./write-file-tool.js";

const files = { "a.txt": "one\n", "dir/b.txt": "two\n", "data.bin": Uint8Array.of(0, 1, 2) };
const placeholder = { path: "a.txt", content: "// ... existing code ...\n" };

describeToolContract(WriteFileTool, {
  files,
  args: { path: "a.txt", content: "new\n" },
  failing: [{ path: "dir", content: "" }, placeholder, { path: "a.txt", content: "?", encoding: "base64" }],
});
describeToolContract(CreateFileTool, {
  files,
  args: { path: "new/c.txt", content: "new\n" },
  failing: [
    { path: "a.txt", content: "" },
    { ...placeholder, path: "c.txt" },
  ],
});
describeToolContract(UpdateFileTool, {
  files,
  args: { path: "a.txt", content: "new\n" },
  failing: [{ path: "missing.txt", content: "" }, placeholder, { path: "dir", content: "" }],
});
describeToolContract(AppendFileTool, {
  files,
  args: { path: "a.txt", content: "new\n" },
  failing: [
    { path: "data.bin", content: "x" },
    { path: "dir", content: "x" },
  ],
});
