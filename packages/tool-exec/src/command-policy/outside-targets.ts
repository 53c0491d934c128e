import { deny, firstObjection, type Objection } from "./objection.js";
import type { PathScope } from "./path-check.js";
import { wordList } from "./word-list.js";

/** Objects to a program that would write, move or delete something outside the workspace. */
export function objectToOutsideTargets(argv: readonly string[], scope: PathScope): Objection | undefined {
  const [path = "", ...args] = argv;
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (!writers.has(name)) return undefined;
  const written = name === "ln" && args.some(isSymbolic) ? linkNames(args) : args;
  const targets = written.map(targetOf).filter((target) => target !== undefined);
  return firstObjection(targets, (target) => objectToOutsideTarget(target, scope));
}

/** Objects to one target, such as that of a redirection. */
export function objectToOutsideTarget(target: string, scope: PathScope): Objection | undefined {
  if (privatePlaces.test(target)) return undefined;
  const leaves = target.startsWith("~") || scope.directories.every((directory) => leads(target, directory));
  return leaves
    ? deny(`${target} is outside the workspace`, "use a path inside the workspace, or /tmp")
    : undefined;

  function leads(path: string, directory: string): boolean {
    return scope.check(path, directory) === "outside";
  }
}

const writers: ReadonlySet<string> = new Set(
  wordList(
    "rm rmdir unlink shred mv cp ln install tee touch mkdir mkfifo chmod chown chgrp truncate dd rsync sponge",
    "rename trash",
  ),
);

function isSymbolic(word: string): boolean {
  return word === "--symbolic" || /^-[a-zA-Z]*s/.test(word);
}

/** The target of a symbolic link is not written to, and is relative to the link. */
function linkNames(args: readonly string[]): readonly string[] {
  return args.filter((word, index) => word.startsWith("-") || index === args.length - 1);
}

/** The box has its own /tmp and devices. */
const privatePlaces = /^\/(?:tmp(?:\/|$)(?!.*\.\.)|dev\/(?:null|zero|stdin|stdout|stderr|tty|fd\/\d+)$)/;

/** Returns the operand, the value of `--option=PLACE` or of dd's `of=PLACE`; undefined without a place. */
function targetOf(word: string): string | undefined {
  const value = word.startsWith("-") || /^(?:of|if)=/.test(word) ? word.slice(word.indexOf("=") + 1) : word;
  return value.startsWith("/") || value.startsWith("~") || value.startsWith("..") || value.includes("/../")
    ? value
    : undefined;
}
