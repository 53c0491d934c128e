// The whole public surface. Adding a name here makes it public API.
export type { HostKeyOptions } from "./connection/host-keys.js";
export type { SshLogin } from "./connection/open-channel.js";
export { openSshWorkspace, type SshWorkspaceOptions } from "./open-ssh-workspace.js";
export type { SshWorkspace } from "./ssh-workspace.js";
