// What is under test, from source.
export { OverlayWorkspace } from "@haft/core";
export { openNodeWorkspace } from "../../packages/runtime-node/src/workspace/open-node-workspace.ts";
