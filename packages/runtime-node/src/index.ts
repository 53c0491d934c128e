// The whole public surface. Adding a name here makes it public API.
export { NodeWorkspace } from "./workspace/node-workspace.js";
export { type NodeWorkspaceOptions, openNodeWorkspace } from "./workspace/open-node-workspace.js";
