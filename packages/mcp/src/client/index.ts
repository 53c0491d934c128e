// Any export added here becomes public API: named exports only. Apart, so that a server loads no client.
export { mountMcpServer } from "./mount-mcp-server.js";
export type {
  HttpAddress,
  McpServerAddress,
  MountedServer,
  MountOptions,
  SkippedTool,
  StdioAddress,
} from "./mount-options.js";
