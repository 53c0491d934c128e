// The code under test, from source.
export { OverlayWorkspace } from "@haft/core/workspace";
export { openNodeWorkspace } from "../../packages/runtime-node/src/workspace/open-node-workspace.ts";
