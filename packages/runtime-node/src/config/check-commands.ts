import { changesWhatRuns, plainWords, problemWithWords } from "@haft/text";
import { ConfigError } from "./config-error.js";
import type { CommandsConfig } from "./haft-config.js";

/** Throws CONFIG_INVALID for an entry that no command matches, and for a variable that no configuration may allow. */
export function checkCommands({ allow = [], allowOnly = [], env = [] }: CommandsConfig): void {
  for (const [key, entries] of Object.entries({ "commands.allow": allow, "commands.allowOnly": allowOnly }))
    for (const entry of entries) checkEntry(key, entry);
  const forbidden = env.find(changesWhatRuns);
  if (forbidden !== undefined)
    throw new ConfigError("CONFIG_INVALID", `commands.env: ${forbidden} cannot be allowed`, {
      hint: "A command that sets it could run another program. Remove it from the list.",
    });
}

function checkEntry(key: string, entry: string): void {
  const words = plainWords(entry);
  const problem =
    words === undefined ? "is not one plain command" : problemWithWords(words, { areQuoted: true });
  if (problem === undefined) return;
  const shown =
    words === undefined ? `${JSON.stringify(entry)} ${problem}` : `${JSON.stringify(entry)}: ${problem}`;
  throw new ConfigError("CONFIG_INVALID", `${key}: ${shown}`, {
    hint: 'Write the first words of a command, such as "git status"; an entry covers every command that starts with them. Write several commands as several entries.',
  });
}
