// Importing this package registers all of its tools. Any export added here becomes public API.
export { Glob } from "./glob/glob-tool.js";
export { Grep } from "./grep/grep-tool.js";
export { Search } from "./search/search-tool.js";
