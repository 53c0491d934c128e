import { describeToolContract } from "@haft/testing";
import { DeleteFileTool } from "./delete-file-tool.js";
import { MoveFileTool } from "./move-file-tool.js";

const files = { "a.txt": "one\n", "dir/b.txt": "two\n" };

describeToolContract(DeleteFileTool, {
  files,
  args: { path: "a.txt" },
  failing: [{ path: "dir" }, { path: "missing" }, { path: "." }],
});
describeToolContract(MoveFileTool, {
  files,
  args: { from: "a.txt", to: "new/c.txt" },
  failing: [
    { from: "a.txt", to: "dir" },
    { from: "missing", to: "c" },
    { from: "a.txt", to: "dir/b.txt" },
  ],
});
