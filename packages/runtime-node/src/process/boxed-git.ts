import { probeArguments } from "../sandbox/bubblewrap-arguments.js";
import { locateBubblewrap } from "../sandbox/find-bubblewrap.js";
import { hostToolchains } from "../sandbox/host-toolchains.js";
import type { Environment } from "../secrets/scrubbed-environment.js";
import { linkedWorktree } from "./linked-worktree.js";

interface BoxedGitOptions {
  readonly root: string;
  readonly env: Environment;
  readonly hasBox: () => Promise<boolean>;
}

/**
 * Returns the command prefix that runs git in a directory with a read-only view of the workspace only. Empty without
 * a box.
 */
export function boxedGit({
  root,
  env,
  hasBox,
}: BoxedGitOptions): (directory: string) => Promise<readonly string[]> {
  let mounts: readonly string[] | undefined;
  return async (directory) => {
    const bwrap = (await hasBox()) ? locateBubblewrap() : undefined;
    if (bwrap === undefined) return [];
    mounts ??= hostToolchains(env, root).readOnly.flatMap((path) => ["--ro-bind-try", path, path]);
    const linked = linkedWorktree(root)?.commonDirectory;
    const repository = linked === undefined ? [] : ["--ro-bind", linked, linked];
    return [
      ...[bwrap, ...probeArguments(), ...mounts, ...repository],
      ...["--ro-bind", root, root, "--chdir", directory],
    ];
  };
}
