/** The command that starts the server. */
export interface ServerEntry {
  readonly command: string;
  readonly args: readonly string[];
}

interface ClientSetup {
  readonly title: string;
  /** The file the client reads. */
  readonly file: string;
  /** Whether the file is JSON in the project folder. */
  readonly isInProject: boolean;
  format(entry: ServerEntry): string;
  /** The client's own command that adds the entry. */
  command?(entry: ServerEntry): string;
}

export type McpClientName = "claude-code" | "claude-desktop" | "codex" | "cursor" | "vscode" | "zed";

export const MCP_CLIENTS: Readonly<Record<McpClientName, ClientSetup>> = {
  "claude-code": {
    title: "Claude Code",
    file: ".mcp.json",
    isInProject: true,
    format: (entry) => json({ mcpServers: { haft: entry } }),
    command: ({ command, args }) => `claude mcp add haft -- ${[command, ...args].map(quoted).join(" ")}`,
  },
  "claude-desktop": {
    title: "Claude Desktop",
    file: "claude_desktop_config.json",
    isInProject: false,
    format: (entry) => json({ mcpServers: { haft: entry } }),
  },
  codex: {
    title: "Codex",
    file: "~/.codex/config.toml",
    isInProject: false,
    format: ({ command, args }) =>
      `[mcp_servers.haft]\ncommand = ${JSON.stringify(command)}\nargs = [${args.map((arg) => JSON.stringify(arg)).join(", ")}]`,
    command: ({ command, args }) => `codex mcp add haft -- ${[command, ...args].map(quoted).join(" ")}`,
  },
  cursor: {
    title: "Cursor",
    file: ".cursor/mcp.json",
    isInProject: true,
    format: (entry) => json({ mcpServers: { haft: entry } }),
  },
  vscode: {
    title: "VS Code",
    file: ".vscode/mcp.json",
    isInProject: true,
    format: (entry) => json({ servers: { haft: { type: "stdio", ...entry } } }),
  },
  zed: {
    title: "Zed",
    file: ".zed/settings.json",
    isInProject: true,
    format: (entry) => json({ context_servers: { haft: { source: "custom", ...entry } } }),
  },
};

export type EditorName = "zed" | "jetbrains";

/** Editors that start the agent over the Agent Client Protocol. */
export const EDITORS: Readonly<Record<EditorName, ClientSetup>> = {
  zed: {
    title: "Zed",
    file: "~/.config/zed/settings.json",
    isInProject: false,
    format: (entry) => json({ agent_servers: { Haft: { type: "custom", ...entry, env: {} } } }),
  },
  jetbrains: {
    title: "JetBrains IDEs",
    file: "~/.jetbrains/acp.json",
    isInProject: false,
    format: (entry) => json({ agent_servers: { Haft: { ...entry, env: {} } } }),
  },
};

function json(value: object): string {
  return JSON.stringify(value, undefined, 2);
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
