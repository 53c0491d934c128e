/** A command for the session itself, not for the model. */
export interface SlashCommand {
  readonly name: string;
  readonly argument: string;
}

interface SlashDescription {
  readonly usage: string;
  readonly what: string;
}

export const SLASH_COMMANDS: Readonly<Record<string, SlashDescription>> = {
  help: { usage: "/help", what: "list commands and keys" },
  model: { usage: "/model [ID]", what: "show or change the model" },
  role: { usage: "/role [NAME]", what: "show or change the role" },
  approve: { usage: "/approve [ask|edits|plan]", what: "show or change the mode" },
  compact: { usage: "/compact", what: "replace the conversation with a summary" },
  undo: { usage: "/undo [all]", what: "undo the last change, or all of this session" },
  diff: { usage: "/diff", what: "show what this session changed" },
  cost: { usage: "/cost", what: "show tokens used and their cost" },
  quit: { usage: "/quit", what: "leave; haft run --continue resumes" },
};

/** Returns undefined for a message, including one that is a path such as /etc/hosts. */
export function parseSlash(text: string): SlashCommand | undefined {
  const match = /^\/([a-z]+)(?:\s+(.*))?$/s.exec(text.trim());
  if (match === null) return undefined;
  return { name: match[1] ?? "", argument: (match[2] ?? "").trim() };
}

const KEYS: readonly (readonly [string, string])[] = [
  ["Enter", "send; the model reads it in its next turn"],
  ["Alt-Enter", "new line"],
  ["Up, Down", "earlier messages"],
  ["Shift-Tab", "next mode: ask, accept edits, plan only"],
  ["Esc", "interrupt; the session stays"],
  ["Ctrl-C", "clear the line or interrupt; twice leaves"],
  ["Ctrl-Z", "stop the process; fg in the shell continues it"],
  ["Ctrl-D", "leave when the work is done"],
];

/** Formats one row per command and key, or two on a narrow terminal. */
export function slashHelp(columns: number): string {
  const commands = Object.values(SLASH_COMMANDS).map(({ usage, what }) => [usage, what] as const);
  const isNarrow = columns < NARROW_COLUMNS;
  const row = ([name, what]: readonly [string, string]) =>
    isNarrow ? `${name}\n  ${what}` : `${name.padEnd(NAME_COLUMNS)}${what}`;
  return [...commands.map(row), "", ...KEYS.map(row)].join("\n");
}

const NAME_COLUMNS = 27;
const NARROW_COLUMNS = 80;
