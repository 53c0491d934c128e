import { ToolError } from "@haft/core";
import type { InspectFacts } from "@haft/core/policy";
import { directoryNotFound, notADirectory } from "@haft/core/workspace";
import { checkEnvironment } from "../run-code/check-environment.js";
import type { ExecuteCommandArgs } from "./execute-command-schema.js";

/** Rejects a call with an invalid directory, variable or port, before its command is read. */
export async function checkCall(
  { cwd, env, ports, background }: Pick<ExecuteCommandArgs, "cwd" | "env" | "ports" | "background">,
  stat: InspectFacts["stat"],
): Promise<void> {
  const { type } = await stat(cwd).catch((error: unknown) => {
    if (!ToolError.is(error) || error.code !== "FILE_NOT_FOUND") throw error;
    const { nearest } = error.details ?? {};
    throw directoryNotFound(cwd, Array.isArray(nearest) ? nearest : []);
  });
  if (type !== "directory") throw notADirectory(cwd);
  checkEnvironment(env);
  if (ports !== undefined && !background) throw portsInForeground();
}

function portsInForeground(): ToolError {
  return new ToolError("INVALID_ARGUMENTS", "ports is only for commands that run in the background", {
    hint: "Nothing was run. Set background: true, or leave ports out.",
  });
}
