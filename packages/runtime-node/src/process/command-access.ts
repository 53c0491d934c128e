import { join } from "node:path";
import type { ProvidedService, Redact } from "@haft/core";
import { COMMAND_HOST, type CodeSandbox, SHAPE_REDACTOR } from "@haft/core/capabilities";
import type { ShapeRedactor } from "@haft/text";
import type { SandboxConfig } from "../config/haft-config.js";
import { stateDirectoryOf } from "../journal/state-directory.js";
import type { GuardedClient } from "../network/guarded-client.js";
import { npmRegistries } from "../network/npm-registries.js";
import { BoxProbe, chooseSandbox } from "../sandbox/choose-sandbox.js";
import { ignoredAtStart } from "../sandbox/pass-through.js";
import { sweepRunFolders } from "../sandbox/run-folder.js";
import { commandLimits, sandboxLimits } from "../sandbox/sandbox-limits.js";
import { disableAbandoned } from "../sandbox/shared-record.js";
import { outputRedactor } from "../secrets/output-redactor.js";
import type { Environment } from "../secrets/scrubbed-environment.js";
import type { NodeWorkspace } from "../workspace/node-workspace.js";
import { nodeCommandHost } from "./node-command-host.js";
import { type NodeProcessRunner, nodeProcessRunner } from "./node-process-runner.js";

interface CommandAccess {
  readonly processes: NodeProcessRunner;
  readonly sandbox: CodeSandbox;
  readonly services: readonly ProvidedService[];
}

interface CommandAccessOptions {
  readonly workspace: NodeWorkspace;
  readonly env: Environment;
  readonly stateDirectory?: string | undefined;
  readonly redact?: Redact | undefined;
  readonly shapes?: ShapeRedactor | undefined;
  readonly sandbox?: SandboxConfig | undefined;
  /** Connects for commands that have network access. */
  readonly network?: Pick<GuardedClient, "dialFor"> | undefined;
  /** Whether an approver is attached. */
  readonly canAsk?: boolean | undefined;
}

/** Creates the process runner, the sandbox and the command host for tools that run commands and code. */
export function commandAccess(options: CommandAccessOptions): CommandAccess {
  const { workspace, env, canAsk = false } = options;
  const redact = outputRedactor(workspace.local, { known: options.redact, shapes: options.shapes });
  const state = options.stateDirectory ?? stateDirectoryOf(workspace.root);
  const logDirectory = join(state, "output");
  disableAbandoned(workspace, join(state, "sandbox"));
  sweepRunFolders(join(state, "sandbox"));
  const registries = () => npmRegistries(env, workspace.root);
  const boxProbe = new BoxProbe(options.sandbox?.tier);
  const sandbox = chooseSandbox({
    workspace,
    env,
    redact,
    logDirectory,
    limits: sandboxLimits(options.sandbox),
    commandLimits: commandLimits(options.sandbox),
    stateDirectory: state,
    tier: options.sandbox?.tier,
    isIgnored: ignoredAtStart(workspace.root),
    reach: options.network && { dialFor: options.network.dialFor, registries },
  });
  const running = new Set<Promise<unknown>>();
  const confined = redacting(sandbox, { redact, running });
  return {
    processes: withBox(nodeProcessRunner({ workspace, env, redact, logDirectory }), {
      box: confined,
      boxProbe,
      running,
    }),
    sandbox: confined,
    services: [
      [
        COMMAND_HOST,
        nodeCommandHost({ local: workspace.local, env, boxProbe, canAsk: () => canAsk, registries }),
      ],
      ...(options.shapes === undefined ? [] : [[SHAPE_REDACTOR, options.shapes] as const]),
    ],
  };
}

interface OfferedBox {
  readonly box: CodeSandbox;
  readonly boxProbe: BoxProbe;
  readonly running: ReadonlySet<Promise<unknown>>;
}

/** Returns the same runner, offering a box unless the probe has ruled it out. */
function withBox(runner: NodeProcessRunner, { box, boxProbe, running }: OfferedBox): NodeProcessRunner {
  return {
    open: (asked, signal) => runner.open(asked, signal),
    run: (request, signal) => runner.run(request, signal),
    dispose: async () => {
      await runner.dispose();
      await Promise.allSettled(running);
      await box.dispose?.();
    },
    get box() {
      return boxProbe.answer === false ? undefined : box;
    },
  };
}

interface RunningBoxes {
  readonly redact: Redact;
  /** Unfinished runs; closing the runtime waits for them. */
  readonly running: Set<Promise<unknown>>;
}

/** Redacts secrets in the output of code, and tracks running calls. */
function redacting(sandbox: CodeSandbox, { redact, running }: RunningBoxes): CodeSandbox {
  return {
    get tier() {
      return sandbox.tier;
    },
    dispose: async () => sandbox.dispose?.(),
    async run(request, signal) {
      const run = sandbox.run(request, signal);
      running.add(run);
      const { stdout, stderr, ...outcome } = await run.finally(() => running.delete(run));
      return {
        ...outcome,
        stdout: { ...stdout, text: redact(stdout.text) },
        stderr: { ...stderr, text: redact(stderr.text) },
      };
    },
  };
}
