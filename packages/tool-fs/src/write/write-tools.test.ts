import { describeToolContract } from "@haft/testing";
import { AppendFile } from "./append-file-tool.js";
import { CreateFile } from "./create-file-tool.js";
import { UpdateFile } from "./update-file-tool.js";
import { WriteFile } from "./write-file-tool.js";

const files = { "a.txt": "one\n", "dir/b.txt": "two\n", "data.bin": Uint8Array.of(0, 1, 2) };
const placeholder = { path: "a.txt", content: "// ... existing code ...\n" };

describeToolContract(WriteFile, {
  files,
  args: { path: "a.txt", content: "new\n" },
  failing: [{ path: "dir", content: "" }, placeholder, { path: "a.txt", content: "?", encoding: "base64" }],
});
describeToolContract(CreateFile, {
  files,
  args: { path: "new/c.txt", content: "new\n" },
  failing: [
    { path: "a.txt", content: "" },
    { ...placeholder, path: "c.txt" },
  ],
});
describeToolContract(UpdateFile, {
  files,
  args: { path: "a.txt", content: "new\n" },
  failing: [{ path: "missing.txt", content: "" }, placeholder, { path: "dir", content: "" }],
});
describeToolContract(AppendFile, {
  files,
  args: { path: "a.txt", content: "new\n" },
  failing: [
    { path: "data.bin", content: "x" },
    { path: "dir", content: "x" },
  ],
});
