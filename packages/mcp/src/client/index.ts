// Any export added here becomes public API: named exports only. A separate entry, so that servers do not load the
// client.
export { mountMcpServer } from "./mount-mcp-server.js";
export type {
  HttpAddress,
  McpServerAddress,
  MountedServer,
  MountOptions,
  SkippedTool,
  StdioAddress,
} from "./mount-options.js";
