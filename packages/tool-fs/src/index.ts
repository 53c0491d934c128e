// Importing this package announces all of its tools. Any export added here becomes public API.
export { ListDirectoryTool } from "./list-directory/list-directory-tool.js";
export { DeleteFileTool } from "./manage/delete-file-tool.js";
export { MoveFileTool } from "./manage/move-file-tool.js";
export { ReadFileTool, readFile } from "./read-file/read-file-tool.js";
export { DEFAULT_READ_LIMITS, READ_LIMITS, type ReadLimits } from "./read-file/read-limits.js";
export { AppendFileTool } from "./write/append-file-tool.js";
export { CreateFileTool } from "./write/create-file-tool.js";
export { UpdateFileTool } from "./write/update-file-tool.js";
export { WriteFileTool } from "./write/write-file-tool.js";
