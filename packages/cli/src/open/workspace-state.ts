import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { stateDirectoryOf } from "@haft/runtime-node";
import type { CliIo } from "../cli-io.js";
import type { RuntimeChoices } from "./runtime-choices.js";

/** Where journal, approvals and grants of a workspace are kept. The workspace must exist. */
export function workspaceState(
  { workspace }: Pick<RuntimeChoices, "workspace">,
  { cwd, env }: CliIo,
): string {
  return stateDirectoryOf(realpathSync(resolve(cwd, workspace ?? ".")), env);
}
