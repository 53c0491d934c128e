// Importing this package announces all of its tools. Any export added here becomes public API.
export { ReadFileTool, readFile } from "./read-file/read-file-tool.js";
export { DEFAULT_READ_LIMITS, READ_LIMITS, type ReadLimits } from "./read-file/read-limits.js";
