// Importing this package registers all of its tools. Any export added here becomes public API.
export { ListDirectory } from "./list-directory/list-directory-tool.js";
export { DeleteFile } from "./manage/delete-file-tool.js";
export { MoveFile } from "./manage/move-file-tool.js";
export { ReadFile } from "./read-file/read-file-tool.js";
export { DEFAULT_READ_LIMITS, READ_LIMITS, type ReadLimits } from "./read-file/read-limits.js";
export { AppendFile } from "./write/append-file-tool.js";
export { CreateFile } from "./write/create-file-tool.js";
export { UpdateFile } from "./write/update-file-tool.js";
export { WriteFile } from "./write/write-file-tool.js";
