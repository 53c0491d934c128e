import { wordList } from "./word-list.js";

/**
 * Other ways to say the options of a command: `-f` of `git push` is `--force`, and so is `+` before a branch. Returns
 * options to add to its words.
 */
export function optionSpellings(program: string, words: readonly (string | null)[]): readonly string[] {
  if (!Object.hasOwn(PROGRAMS, program)) return [];
  const groups = (PROGRAMS[program] ?? []).filter(({ subcommands }) => isFor(subcommands, words));
  const others = groups.flatMap(({ names }) => (words.some((word) => isOneOf(names, word)) ? names : []));
  return [...new Set(others)].filter((name) => name.startsWith("-") && !words.includes(name));
}

interface OptionGroup {
  /** None for those of every subcommand. */
  readonly subcommands: readonly string[];
  /** An option, or the first character of an operand that means the same. */
  readonly names: readonly string[];
}

function isFor(subcommands: readonly string[], words: readonly (string | null)[]): boolean {
  return subcommands.length === 0 || subcommands.some((subcommand) => words.includes(subcommand));
}

function isOneOf(names: readonly string[], word: string | null): boolean {
  if (word === null) return false;
  return names.some((name) => {
    if (name.startsWith("--")) return word === name || word.startsWith(`${name}=`);
    if (!name.startsWith("-")) return word.length > 1 && word.startsWith(name);
    return /^-[^-]/.test(word) && word.includes(name.slice(1), 1);
  });
}

const groupsOf = (...lines: readonly string[]): readonly OptionGroup[] =>
  lines.map((line) => {
    const [names = "", subcommands = ""] = line.split(" of ");
    return { names: names.split(" "), subcommands: subcommands === "" ? [] : wordList(subcommands) };
  });

const FILES = groupsOf("-r -R --recursive", "-f --force");

const PROGRAMS: Readonly<Record<string, readonly OptionGroup[]>> = {
  rm: FILES,
  cp: FILES,
  mv: groupsOf("-f --force"),
  ln: groupsOf("-f --force", "-s --symbolic"),
  chmod: groupsOf("-R --recursive"),
  chown: groupsOf("-R --recursive"),
  chgrp: groupsOf("-R --recursive"),
  grep: FILES.slice(0, 1),
  git: groupsOf(
    "-f --force + of push",
    "-d --delete : of push",
    "-f --force of add branch checkout clean fetch mv pull rm switch tag worktree",
    "-n --no-verify of commit",
    "-a --all of commit",
    "-A --all of add",
    "-d --delete of branch tag",
    "-D --delete of branch",
    "-D --force of branch",
    "-M --move of branch",
    "-M --force of branch",
    "-m --move of branch",
    "-u --include-untracked of stash",
  ),
  npm: groupsOf("-g --global --location=global", "-f --force"),
  pnpm: groupsOf("-g --global", "-r --recursive"),
  pip: groupsOf("-e --editable", "-r --requirement", "-U --upgrade"),
  docker: groupsOf("-f --force of prune rm rmi", "-a --all of prune"),
  kubectl: groupsOf("-f --filename", "-n --namespace", "-A --all-namespaces"),
  curl: groupsOf(
    "-X --request",
    "-d --data",
    "-F --form",
    "-T --upload-file",
    "-o --output",
    "-O --remote-name",
    "-k --insecure",
    "-u --user",
    "-x --proxy",
  ),
};
