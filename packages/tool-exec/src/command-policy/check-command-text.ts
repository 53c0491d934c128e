import { commandLimits } from "./command-limits.js";
import { deny, type Objection } from "./objection.js";

/** Refuses text that a person could misread or that parsers read differently, before it is parsed. */
export function checkCommandText(text: string): Objection | undefined {
  if (text.length > commandLimits.characters) {
    return deny(
      `the command has ${text.length} characters, more than the limit of ${commandLimits.characters}`,
    );
  }
  const braces = text.match(/\{|\$\[/g)?.length ?? 0;
  if (braces > commandLimits.braces) return deny(`the command has ${braces} opening braces`);
  const found = forbiddenCharacters.exec(text)?.[0];
  if (found !== undefined) return deny(`the command contains the character ${codePointName(found)}`);
  if (/(?<!\\)(?:\\\\)*\\$/.test(text)) return deny("the command ends with a backslash");
  return undefined;
}

// Control characters except tab and newline, format characters (bidi, zero width, tags, byte order mark, soft
// hyphen), lone surrogates, line and paragraph separators.
const forbiddenCharacters = /[\p{Cf}\p{Cs}\u2028\u2029]|(?![\t\n])\p{Cc}/u;

function codePointName(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}
