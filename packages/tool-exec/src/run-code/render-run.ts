import { renderInline } from "@haft/text";
import { describeOutput } from "../output/describe-output.js";
import type { RunCodeResult } from "./run-code-schema.js";

/** Renders the result for the model: output, how it ended, which limit stopped it, what it changed. */
export function renderRun(value: RunCodeResult): string {
  const { exitCode, duration, limitHit, filesChanged, notApplied } = value;
  const lines = [
    describeOutput(value, OUTPUT_TOKENS),
    `[exit code ${exitCode}, ${(duration / 1000).toFixed(1)} s]`,
  ];
  if (limitHit !== undefined) lines.push(`[${LIMIT_MESSAGES[limitHit]}]`);
  if (filesChanged.length > 0) lines.push(`[changed: ${listed(filesChanged)}]`);
  if (notApplied !== undefined) lines.push(NOTHING_APPLIED);
  return lines.join("\n");
}

/** The note below it says why. */
export const NOTHING_APPLIED = "[NOT APPLIED: none of its file changes were applied]";

export const OUTPUT_TOKENS = 8_000;

export const LIMIT_MESSAGES: Readonly<Record<NonNullable<RunCodeResult["limitHit"]>, string>> = {
  cpu: "limit reached: processor time (sandbox.cpuSeconds)",
  memory: "limit reached: memory (sandbox.memoryMb)",
  time: "limit reached: time",
  files: "limit reached: size or number of files (sandbox.fileSizeMb)",
  pids: "limit reached: processes (sandbox.processes)",
  network: "the sandbox has no network",
};

export function listed(paths: readonly string[]): string {
  const shown = paths.slice(0, MAX_SHOWN).map((path) => renderInline(path, { maxChars: 200 }));
  const rest = paths.length - shown.length;
  return rest > 0 ? `${shown.join(", ")} and ${rest} more` : shown.join(", ");
}

const MAX_SHOWN = 50;
