// Any export added here becomes public API: named exports only.
export { type ServeOptions, serveWorkspaces, type WorkspaceServer } from "./serve-workspaces.js";
