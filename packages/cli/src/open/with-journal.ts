import { resolve } from "node:path";
import { createNodeRuntime, type NodeRuntime } from "@haft/runtime-node";
import type { CliIo } from "../cli-io.js";
import type { RuntimeChoices } from "./runtime-choices.js";

/** Opens the journal, grants and audit log for commands that call no tool, and closes them afterwards. */
export async function withJournal<T>(
  { workspace }: Pick<RuntimeChoices, "workspace">,
  { cwd, env }: CliIo,
  work: (journal: Pick<NodeRuntime, "changes" | "undo" | "forgetChanges" | "grants" | "audit">) => Promise<T>,
): Promise<T> {
  const folder = resolve(cwd, workspace ?? ".");
  const runtime = await createNodeRuntime({ workspace: folder, tools: [], env });
  try {
    return await work(runtime);
  } finally {
    await runtime.dispose();
  }
}
