import type { CommandPlan, PlannedCommand, PlannedRedirection, PlannedWord } from "./command-plan.js";

/** Renders a plan as shell text. Each command may be rewritten. */
export function shellText(plan: CommandPlan, rewrite: (command: ShellCommand) => ShellCommand): string {
  return plan.steps
    .map(({ joiner, negated, commands }, index) => {
      const piped = commands.map((command) => commandText(command, rewrite)).join(" | ");
      const step = negated ? `! ${piped}` : piped;
      if (index === 0) return step;
      return joiner === ";" ? `\n${step}` : ` ${joiner} ${step}`;
    })
    .join("");
}

export interface ShellCommand {
  /** Each word in shell syntax. */
  readonly words: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly command: PlannedCommand;
}

/** Returns one word that the shell takes literally. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function commandText(command: PlannedCommand, rewrite: (command: ShellCommand) => ShellCommand): string {
  const given = Object.fromEntries(command.assignments.map(({ name, value }) => [name, value]));
  const { words, environment } = rewrite({ words: command.words.map(wordText), environment: given, command });
  const assigned = Object.entries(environment).map(([name, value]) => `${name}=${quoted(value)}`);
  return [...assigned, ...words, ...command.redirections.map(redirectionText)].join(" ");
}

function wordText(word: PlannedWord): string {
  if (word.kind === "literal") return quoted(word.value);
  return word.pieces
    .map((piece) => {
      if (piece.kind === "text") return quoted(piece.text);
      if (piece.kind === "bracket") return piece.text;
      return piece.kind === "star" ? "*" : "?";
    })
    .join("");
}

function redirectionText(redirection: PlannedRedirection): string {
  const { kind, fd } = redirection;
  if (kind === "null") return fd === 0 ? "</dev/null" : `${fd}>/dev/null`;
  if (kind === "read") return `<${quoted(redirection.path)}`;
  return `${fd}${fd === 0 ? "<" : ">"}&${redirection.from}`;
}
