// Importing this package announces all of its tools. Any export added here becomes public API.
export { GlobTool, glob } from "./glob/glob-tool.js";
export { GrepTool, grep } from "./grep/grep-tool.js";
export { SearchTool, search } from "./search/search-tool.js";
