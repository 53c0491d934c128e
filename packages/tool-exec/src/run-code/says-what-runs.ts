import type { ChangeSummary } from "@haft/core";

/**
 * Whether a change is to a file that tells allowed commands what to run: `npm test` and `make test` run it outside of
 * the sandbox. What code in the sandbox writes there is not applied before a person has seen it.
 */
export function saysWhatRuns({ path }: ChangeSummary): boolean {
  return COMMAND_FILES.has(path.slice(path.lastIndexOf("/") + 1).toLowerCase());
}

const COMMAND_FILES: ReadonlySet<string> = new Set([
  "package.json",
  ".npmrc",
  ".yarnrc",
  ".yarnrc.yml",
  ".pnpmfile.cjs",
  ".pnpmfile.mjs",
  "pnpm-workspace.yaml",
  "makefile",
  "gnumakefile",
]);
