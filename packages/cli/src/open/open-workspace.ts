import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { type NodeWorkspace, openNodeWorkspace } from "@haft/runtime-node";
import type { CliIo } from "../cli-io.js";
import { UsageError } from "../usage-error.js";
import type { RuntimeChoices } from "./runtime-choices.js";

/** A workspace alone, for commands that call no tool. */
export async function openWorkspace(
  { workspace }: Pick<RuntimeChoices, "workspace">,
  { cwd }: CliIo,
): Promise<NodeWorkspace> {
  const folder = resolve(cwd, workspace ?? ".");
  const isFolder = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) throw new UsageError("PATH_NOT_FOUND", `There is no folder ${folder} to work in`);
  return openNodeWorkspace(folder);
}
