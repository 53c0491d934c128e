import { join } from "node:path";
import { COMMAND_HOST, type CodeSandbox, type ProvidedService, type Redact } from "@haft/core";
import type { SandboxConfig } from "../config/haft-config.js";
import { stateDirectoryOf } from "../journal/state-directory.js";
import { chooseSandbox } from "../sandbox/choose-sandbox.js";
import { sandboxLimits } from "../sandbox/sandbox-limits.js";
import { outputRedactor } from "../secrets/output-redactor.js";
import type { Environment } from "../secrets/scrubbed-environment.js";
import type { NodeWorkspace } from "../workspace/node-workspace.js";
import { nodeCommandHost } from "./node-command-host.js";
import { type NodeProcessRunner, nodeProcessRunner } from "./node-process-runner.js";

export interface CommandAccess {
  readonly processes: NodeProcessRunner;
  readonly sandbox: CodeSandbox;
  readonly services: readonly ProvidedService[];
}

export interface CommandAccessOptions {
  readonly workspace: NodeWorkspace;
  readonly env: Environment;
  readonly stateDirectory?: string | undefined;
  readonly redact?: Redact | undefined;
  readonly sandbox?: SandboxConfig | undefined;
}

/** What tools that run commands and code need of this machine: a runner, a sandbox, and answers for their policy. */
export function commandAccess(options: CommandAccessOptions): CommandAccess {
  const { workspace, env } = options;
  const redact = outputRedactor(workspace.local, options.redact);
  const state = options.stateDirectory ?? stateDirectoryOf(workspace.root);
  return {
    processes: nodeProcessRunner({ workspace, env, redact, logDirectory: join(state, "output") }),
    sandbox: redacting(
      chooseSandbox({
        workspace,
        limits: sandboxLimits(options.sandbox),
        stateDirectory: state,
        tier: options.sandbox?.tier,
      }),
      redact,
    ),
    services: [[COMMAND_HOST, nodeCommandHost({ local: workspace.local, env })]],
  };
}

/** What code prints is as little to be handed on as what a command does. */
function redacting(sandbox: CodeSandbox, redact: Redact): CodeSandbox {
  return {
    get tier() {
      return sandbox.tier;
    },
    async run(request, signal) {
      const outcome = await sandbox.run(request, signal);
      const { stdout, stderr } = outcome;
      return {
        ...outcome,
        stdout: { ...stdout, text: redact(stdout.text) },
        stderr: { ...stderr, text: redact(stderr.text) },
      };
    },
  };
}
