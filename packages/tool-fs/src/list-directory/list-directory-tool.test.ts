import { describeToolContract } from "@haft/testing";
import { ListDirectoryTool } from "./list-directory-tool.js";

describeToolContract(ListDirectoryTool, {
  files: { "a.txt": "one\n", "dir/b.txt": "two\n" },
  args: { path: "." },
  failing: [{ path: "a.txt" }, { path: "missing" }],
});
