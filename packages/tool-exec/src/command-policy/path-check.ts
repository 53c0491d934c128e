import { deny, firstObjection, type Objection } from "./objection.js";

export type PathVerdict = "inside" | "outside" | "sensitive";

/**
 * Judges a path as a program would resolve it from `cwd` (relative to the workspace root unless absolute, "." for the
 * root), including links. The host supplies it, because only the host can access the file system.
 */
export type PathCheck = (path: string, cwd: string) => PathVerdict;

/** Where a command may run: every directory that preceding `cd`s may lead to. */
export interface PathScope {
  readonly check: PathCheck;
  readonly directories: readonly string[];
}

/** Objects to a path that leaves the workspace or names a sensitive file, from any possible directory. */
export function objectToPath(path: string, scope: PathScope): Objection | undefined {
  if (path === "" || path === "-" || path === "/dev/null") return undefined;
  return firstObjection(scope.directories, (directory) => {
    const verdict = scope.check(path, directory);
    if (verdict === "outside")
      return deny(`${path} is outside the workspace`, "use a path inside the workspace");
    if (verdict === "sensitive") return deny(`${path} is a sensitive file`, "ask the user for what you need");
    return undefined;
  });
}

/** Returns the scope for programs that show names and sizes but no contents: they may name a sensitive file. */
export function namesOnly(scope: PathScope): PathScope {
  return {
    ...scope,
    check: (path, cwd) => (scope.check(path, cwd) === "outside" ? "outside" : "inside"),
  };
}
