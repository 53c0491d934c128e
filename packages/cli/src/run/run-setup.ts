import { platform } from "node:os";
import {
  findToolsTool,
  gatherProject,
  type ProjectSource,
  type RunLimits,
  type RunOptions,
} from "@haft/agent";
import { toolCall } from "@haft/core/kernel";
import type { NodeRuntime } from "@haft/runtime-node";
import type { CliIo } from "../cli-io.js";
import type { CommandRuntime } from "../open/open-runtime.js";
import { chooseModel } from "./choose-model.js";
import { limitsFor, type ModelChoice, type ModelSettings, modelSettings } from "./model-settings.js";

export interface RunSetup {
  readonly options: Pick<RunOptions, "runtime" | "model" | "limits" | "style" | "deferTools">;
  readonly settings: ModelSettings;
  readonly limits: Partial<RunLimits>;
}

/** Configures runs of the command line: compact prompt, few initial tools, long retries. */
export async function runSetup(
  command: ModelChoice & { readonly dryRun?: boolean },
  { runtime, config, isTrusted, isConfigured }: Omit<CommandRuntime, "mountServers" | "packageOf" | "rules">,
  io: CliIo,
): Promise<RunSetup> {
  const settings = modelSettings(command, config, io);
  const limits = limitsFor(command, config, io);
  // SECURITY: loads provider code from the workspace only if the user named the provider on the command line or trusts
  // the workspace.
  const mayLoadFromWorkspace = command.model !== undefined || (isConfigured && isTrusted);
  const workspace = mayLoadFromWorkspace ? runtime.workspace.absolute("") : undefined;
  const model = await chooseModel({ ...settings, workspace }, io);
  runtime.registry.register(findToolsTool(() => runtime.tools()));
  return {
    settings,
    limits,
    options: {
      runtime: command.dryRun === true ? dryRunOnly(runtime) : runtime,
      model,
      limits,
      style: "compact",
      deferTools: true,
    },
  };
}

/** Reads the project's instructions for agents. */
export function projectOf({
  runtime,
  isTrusted,
  isConfigured,
}: Pick<CommandRuntime, "runtime" | "isTrusted" | "isConfigured">): ProjectSource {
  return (filesInPlay) =>
    gatherProject(runtime.workspace, {
      isTrusted: isConfigured && isTrusted,
      filesInPlay,
      system: platform(),
    });
}

/** Returns a runtime that executes every call as a dry run. */
function dryRunOnly(runtime: NodeRuntime): NodeRuntime {
  return {
    ...runtime,
    call: toolCall(runtime.registry, (tool, args, options) =>
      runtime.call(tool, args, { ...options, dryRun: true }),
    ),
  };
}
