import type { CommandHost } from "@haft/core/capabilities";
import {
  argvOf,
  type CommandPlan,
  literalWord,
  type PlannedCommand,
} from "../command-policy/command-plan.js";
import { expandWord, type ListDirectory } from "../command-policy/expand-word.js";
import { walkDirectories } from "../command-policy/walk-directories.js";
import { startsGit } from "./starts-git.js";

/**
 * Expands the patterns of git commands like a shell, so that the judged arguments are those that run: a file may be
 * named like an option or a revision. A git command that may run in several folders keeps its patterns.
 */
export async function expandGitWords(
  plan: CommandPlan,
  cwd: string,
  host: Pick<CommandHost, "list" | "placeOf">,
): Promise<CommandPlan> {
  if (!plan.steps.some(({ commands }) => commands.some(hasGitPattern))) return plan;
  const directories = walkDirectories(plan.steps, cwd) ?? [];
  const steps = plan.steps.map(async (step, index) => {
    const [directory, ...others] = directories[index] ?? [];
    if (directory === undefined || others.length > 0) return step;
    const list = listIn(directory, host);
    const expand = async (command: PlannedCommand) => {
      if (!hasGitPattern(command)) return command;
      const words = await Promise.all(
        command.words.map((word) => expandWord(word, list).catch(() => [word.value])),
      );
      return { ...command, words: words.flat().map(literalWord) };
    };
    return { ...step, commands: await Promise.all(step.commands.map(expand)) };
  });
  return { ...plan, steps: await Promise.all(steps) };
}

/** Lists folders as a command in a directory names them. */
export function listIn(directory: string, host: Pick<CommandHost, "list" | "placeOf">): ListDirectory {
  return async (path) => {
    const place = host.placeOf(path, directory);
    return place === undefined ? [] : host.list(place);
  };
}

function hasGitPattern(command: PlannedCommand): boolean {
  return command.words.some(({ kind }) => kind === "glob") && startsGit(argvOf(command));
}
