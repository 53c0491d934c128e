import { join } from "node:path";
import { COMMAND_HOST, type ProvidedService } from "@haft/core";
import { stateDirectoryOf } from "../journal/state-directory.js";
import type { Environment } from "../secrets/scrubbed-environment.js";
import type { NodeWorkspace } from "../workspace/node-workspace.js";
import { nodeCommandHost } from "./node-command-host.js";
import { type NodeProcessRunner, nodeProcessRunner } from "./node-process-runner.js";

export interface CommandAccess {
  readonly processes: NodeProcessRunner;
  readonly services: readonly ProvidedService[];
}

export interface CommandAccessOptions {
  readonly workspace: NodeWorkspace;
  readonly env: Environment;
  readonly stateDirectory?: string | undefined;
}

/** What tools that run commands need of this machine: a runner, and answers for their policy. */
export function commandAccess({ workspace, env, stateDirectory }: CommandAccessOptions): CommandAccess {
  const state = stateDirectory ?? stateDirectoryOf(workspace.root);
  return {
    processes: nodeProcessRunner({ workspace, env, logDirectory: join(state, "output") }),
    services: [[COMMAND_HOST, nodeCommandHost({ local: workspace.local, env })]],
  };
}
