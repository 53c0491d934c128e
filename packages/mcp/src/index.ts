// Any export added here becomes public API: named exports only.
export { ERROR_META_KEY } from "./call/call-result.js";
export { createMcpServer, type McpServer, type Sharing } from "./create-mcp-server.js";
export type { HttpOptions, HttpService } from "./http/http-options.js";
export type {
  McpOptions,
  OpenRuntime,
  RuntimeContext,
  RuntimeSource,
  StructuredMode,
} from "./mcp-options.js";
export { type StdioOptions, type StdioService, serveStdio } from "./serve-stdio.js";
