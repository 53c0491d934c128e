import { unwrapCommand } from "../command-policy/unwrap-command.js";

/** Returns whether a program is git, also inside `timeout 5 git …`. */
export function startsGit(argv: readonly string[]): boolean {
  const wrapped = unwrapCommand(argv);
  return wrapped === undefined ? argv[0] === "git" : startsGit(argv.slice(wrapped.index));
}
